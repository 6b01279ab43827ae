import { execFile } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit } from "../../../src/adapters/git/create-git.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { SetupOutcome, SetupRequest, Workspace } from "../../../src/ports/git.ts";
import { createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

let sandbox: GitSandbox;
let made: string[];
beforeEach(async () => {
  sandbox = await createGitSandbox();
  made = [];
  await sandbox.commit("main", { ".gitignore": "deps/\n*.log\n", "lock.json": "1\n" });
});
afterEach(() => sandbox.remove());

const inputs = { command: "install", isKeyFile: (path: string) => path.endsWith("lock.json") };

/** What an installing command does: a folder of files, a link and a program, all of them ignored. */
async function install({ path }: Workspace): Promise<boolean> {
  await writeFiles(path, {
    "deps/a/index.js": "a\n",
    "deps/b/lib/index.js": "b\n",
    "deps/b/run.sh": "#!/bin/sh\n",
    "deps/.git/config": "[core]\n",
    "packages/p/deps/c.js": "c\n",
  });
  await chmod(join(path, "deps/b/run.sh"), 0o755);
  await mkdir(join(path, "deps/.bin"), { recursive: true });
  await symlink("../b/run.sh", join(path, "deps/.bin/run"));
  return true;
}

function provide(workspace: Workspace, some: Partial<SetupRequest> = {}): Promise<SetupOutcome> {
  return sandbox.git.provideSetup(workspace, {
    inputs,
    mayKeep: true,
    signal: new AbortController().signal,
    make: () => {
      made.push(workspace.id);
      return install(workspace);
    },
    ...some,
  });
}

async function prepared(id: string): Promise<Workspace> {
  const workspace = await sandbox.open(id);
  expect((await provide(workspace)).kind).not.toBe("failed");
  return workspace;
}

/** Type, mode, name and content of everything that setup made. */
async function listing({ path }: Workspace): Promise<readonly string[]> {
  const folders = ["deps", "packages"].map((name) => join(path, name));
  const lists = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const entries = lists.flat().map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const content = entry.isSymbolicLink()
      ? await readlink(file)
      : entry.isFile()
        ? await readFile(file, "utf8")
        : "";
    return `${(await lstat(file)).mode.toString(8)} ${file.slice(path.length)} ${content}`;
  });
  return (await Promise.all(entries)).sort();
}

describe("what setup made", () => {
  it("is made once, and others get a copy that shares no file with it", async () => {
    const first = await prepared("first");
    const second = await prepared("second");
    expect(made).toEqual(["first"]);
    expect(await listing(second)).toEqual(await listing(first));
    expect((await lstat(join(second.path, "deps/a/index.js"))).nlink).toBe(1);
    await writeFile(join(second.path, "deps/a/index.js"), "changed");
    expect(await readFile(join(first.path, "deps/a/index.js"), "utf8")).toBe("a\n");
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual([]);
  });

  it("is made once by sixteen that begin together", async () => {
    const base = await sandbox.git.fetchBranch(REPO, "main");
    const ids = Array.from({ length: 16 }, (_, index) => `run-${index}`);
    const opened = await Promise.all(ids.map((id) => sandbox.open(id, base)));
    const outcomes = await Promise.all(opened.map((workspace) => provide(workspace)));
    expect(made).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "reused")).toHaveLength(15);
    const listings = await Promise.all(opened.map(listing));
    expect(new Set(listings.map((one) => one.join("\n"))).size).toBe(1);
  });

  it("stays where it is in a workspace that is used again", async () => {
    const first = await prepared("first");
    const [key = ""] = await readdir(join(sandbox.dataDir, "setups/octo/shop"));
    const template = join(sandbox.dataDir, "setups/octo/shop", key, "tree/deps/a/index.js");
    await writeFile(template, "a copy would show this\n");
    await sandbox.git.closeWorkspace(first);
    const second = await prepared("second");
    expect(made).toEqual(["first"]);
    expect(await readFile(join(second.path, "deps/a/index.js"), "utf8")).toBe("a\n");
  });

  it.each([
    ["the key file", { "lock.json": "2\n" }],
    ["what git ignores", { ".gitignore": "deps/\n*.log\nmore/\n" }],
  ])("is made again when %s changed, on nothing that was there before", async (_what, files) => {
    const first = await prepared("first");
    await sandbox.git.closeWorkspace(first);
    await sandbox.commit("main", files);
    const second = await sandbox.open("second");
    const make = async (): Promise<boolean> => {
      expect(await readdir(second.path)).not.toContain("deps");
      return install(second);
    };
    expect(await provide(second, { make })).toEqual({ kind: "made", notKept: undefined });
  });

  it("is made again by another command, and every time where no key file is", async () => {
    await prepared("first");
    const other = { ...inputs, command: "install --more" };
    expect((await provide(await sandbox.open("second"), { inputs: other })).kind).toBe("made");
    const none = { ...inputs, isKeyFile: () => false };
    for (const id of ["third", "fourth"])
      expect((await provide(await sandbox.open(id), { inputs: none })).kind).toBe("made");
  });

  it("is gone where no setup is wanted any more", async () => {
    await sandbox.git.closeWorkspace(await prepared("first"));
    const second = await sandbox.open("second");
    expect(await readdir(second.path)).toContain("deps");
    await provide(second, { inputs: undefined, make: () => Promise.resolve(true) });
    expect(await readdir(second.path)).not.toContain("deps");
  });

  it("is not for others when a change under test had a say in it", async () => {
    const verified = await sandbox.open("verify");
    expect(await provide(verified, { mayKeep: false })).toMatchObject({ kind: "made" });
    await prepared("first");
    expect(made).toEqual(["verify", "first"]);
  });

  it("is nobody's when setup failed", async () => {
    const make = async (workspace: Workspace): Promise<boolean> => {
      await install(workspace);
      return false;
    };
    const first = await sandbox.open("first");
    expect(await provide(first, { make: () => make(first) })).toEqual({ kind: "failed" });
    await prepared("second");
    expect(made).toEqual(["second"]);
  });

  it.each([
    [
      "changes files that git tracks",
      (path: string) => writeFiles(path, { "readme.md": "changed\n" }),
      "it changes files that git does not ignore: readme.md",
    ],
    [
      "leads back to its workspace",
      (path: string) => symlink(join(path, "src"), join(path, "deps/src")),
      "deps/src names the folder of its workspace",
    ],
    [
      "has programs for its folder alone",
      (path: string) =>
        writeFiles(path, { "deps/bin/tool": `#!${path}/deps/bin/python\nimport x\n` }),
      "deps/bin/tool names the folder of its workspace",
    ],
  ])("is not copied when it %s", async (_what, more, notKept) => {
    const first = await sandbox.open("first");
    const make = async (): Promise<boolean> => {
      await install(first);
      await more(first.path);
      return true;
    };
    expect(await provide(first, { make })).toEqual({ kind: "made", notKept });
    await prepared("second");
    expect(made).toEqual(["second"]);
  });

  it("does not hold up a run that is told to stop while it waits for another's setup", async () => {
    const [first, second] = [await sandbox.open("first"), await sandbox.open("second")];
    let finish = (): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const make = (): Promise<boolean> => {
      begin();
      return new Promise((done) => (finish = () => done(true)));
    };
    const other = provide(first, { make });
    await begun;
    const stop = new AbortController();
    const stopped = provide(second, { signal: stop.signal, make: () => Promise.resolve(false) });
    stop.abort();
    expect(await stopped).toEqual({ kind: "failed" });
    finish();
    expect((await other).kind).toBe("made");
  });
});

describe("a runner that changes what setup made", () => {
  it.each<[string, (deps: string) => Promise<unknown>]>([
    ["a file", (deps) => writeFile(join(deps, "a/index.js"), "evil\n")],
    [
      "a file, and puts its times back",
      async (deps) => {
        const file = join(deps, "a/index.js");
        await writeFile(file, "e\n");
        await promisify(execFile)("touch", ["-d", "2001-01-01", file]);
      },
    ],
    ["a mode", (deps) => chmod(join(deps, "a/index.js"), 0o777)],
    ["by another file", (deps) => writeFile(join(deps, "a/evil.js"), "evil\n")],
    ["by taking a file away", (deps) => rm(join(deps, "a/index.js"))],
    ["by taking all away", (deps) => rm(deps, { recursive: true })],
    [
      "by a link to elsewhere",
      async (deps) => {
        await rm(join(deps, "b"), { recursive: true });
        await symlink("/etc", join(deps, "b"));
      },
    ],
    [
      "by a folder in place of a file",
      async (deps) => {
        await rm(join(deps, "a/index.js"));
        await mkdir(join(deps, "a/index.js"));
      },
    ],
    ["by swapping folders", (deps) => rename(join(deps, "a"), join(deps, "z"))],
    [
      "by a second name, to change it later",
      async (deps) => {
        const outside = join(deps, "../../../outside");
        await link(join(deps, "a/index.js"), outside);
      },
    ],
    ["by a repository's settings", (deps) => writeFile(join(deps, ".git/config"), "evil")],
  ])("%s: the next run does not see it", async (_what, attack) => {
    const fresh = await listing(await prepared("fresh"));
    const evil = await prepared("evil");
    await attack(join(evil.path, "deps"));
    const outside = join(dirname(dirname(evil.path)), "outside");
    await sandbox.git.closeWorkspace(evil);
    if (await lstat(outside).catch(() => undefined)) await writeFile(outside, "evil\n");
    const next = await prepared("next");
    expect(await listing(next)).toEqual(fresh);
    expect(made).toEqual(["fresh"]);
    expect((await lstat(join(next.path, "deps/a/index.js"))).nlink).toBe(1);
  });

  it("cannot write where a setup works for others, through a folder that it handed on", async () => {
    const evil = await sandbox.open("evil");
    await mkdir(join(evil.path, "src"), { recursive: true });
    const [held, source] = [await open(evil.path), await open(join(evil.path, "src"))];
    await provide(evil, { mayKeep: false });
    await sandbox.git.closeWorkspace(evil);
    const next = await sandbox.open("next");
    const write = async (): Promise<boolean> => {
      await install(next);
      for (const { fd } of [held, source])
        for (const path of ["deps/a/evil.js", "evil.log"])
          await writeFile(`/proc/self/fd/${fd}/${path}`, "evil\n").catch(() => undefined);
      return true;
    };
    try {
      expect(await provide(next, { make: write })).toEqual({ kind: "made", notKept: undefined });
      const found = await readdir(join(sandbox.dataDir, "setups"), { recursive: true });
      expect(found.filter((path) => path.endsWith("a/index.js"))).toHaveLength(1);
      expect(found.filter((path) => path.includes("evil"))).toEqual([]);
      expect((await sandbox.git.diffWorkspace(next)).paths).toEqual([]);
    } finally {
      await Promise.all([held.close(), source.close()]);
    }
  });

  it.each(["deps", "packages"])(
    "cannot have it written elsewhere by a link called %s in its commit",
    async (name) => {
      await prepared("base");
      const outside = join(sandbox.root, "outside");
      await mkdir(outside, { mode: 0o700 });
      await symlink(outside, join(sandbox.root, "person", name));
      const change = await sandbox.commit("change", {});
      await sandbox.git.fetchBranch(REPO, "change");
      const next = await sandbox.open("next", change);
      expect((await lstat(join(next.path, name))).isSymbolicLink()).toBe(true);
      expect(await provide(next)).toEqual({ kind: "reused" });
      expect(made).toEqual(["base"]);
      expect(await readdir(outside)).toEqual([]);
      expect((await lstat(outside)).mode & 0o777).toBe(0o700);
    },
  );

  it("cannot pass it on through a setup that begins after it, also when the app was restarted", async () => {
    const evil = await sandbox.open("evil");
    await provide(evil);
    await writeFile(join(evil.path, "deps/a/index.js"), "evil\n");
    await rm(join(sandbox.dataDir, "setups"), { recursive: true });
    const restarted = createGit({
      dataDir: sandbox.dataDir,
      remoteUrl: () => `file://${sandbox.remote}`,
      token: () => Promise.resolve(""),
      now: () => instant(0),
    });
    const { repo, id, base } = evil;
    const again = await restarted.openWorkspace({ repo, id, base });
    const signal = new AbortController().signal;
    const make = (): Promise<boolean> => Promise.reject(new Error("setup ran again"));
    expect(await restarted.provideSetup(again, { inputs, mayKeep: true, signal, make })).toEqual({
      kind: "reused",
    });
    await expect(readdir(join(sandbox.dataDir, "setups"))).rejects.toThrow();
  });
});
