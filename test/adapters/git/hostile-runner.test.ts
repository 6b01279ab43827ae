import { execFile } from "node:child_process";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { entryId, type Sha } from "../../../src/domain/ids.ts";
import type { Workspace } from "../../../src/ports/git.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

const AGENTS = resolve(import.meta.dirname, "../../support/fake-agents");
const COMMIT = { message: "do the task", author: AUTHOR };

let sandbox: GitSandbox;
let trap: string;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  trap = join(sandbox.root, "trap-sprung");
});
afterEach(() => sandbox.remove());

async function runAgent(name: string, cwd: string, ...args: readonly string[]): Promise<void> {
  const env = { PATH: process.env["PATH"], HOME: sandbox.root };
  await promisify(execFile)(process.execPath, [join(AGENTS, name), ...args], { cwd, env });
}

async function trapSprung(): Promise<boolean> {
  const sprung = await access(trap).then(
    () => true,
    () => false,
  );
  await rm(trap, { force: true });
  return sprung;
}

/** All that the app does with a workspace after its run. */
async function finish(workspace: Workspace): Promise<Sha> {
  await sandbox.git.diffWorkspace(workspace);
  const commit = await sandbox.git.commitWorkspace(workspace, COMMIT);
  await sandbox.git.rescueWorkspace(workspace);
  const push = { repo: REPO, branch: workspace.id, commit, expected: undefined };
  expect(await sandbox.git.pushBranch(push)).toEqual({ kind: "pushed" });
  const base = await sandbox.git.fetchBranch(REPO, "main");
  const parts = [{ entry: entryId("e"), head: commit, message: "m" }];
  const built = await sandbox.git.buildCandidate({ repo: REPO, base, method: "squash", parts });
  expect(built.kind).toBe("built");
  await sandbox.git.closeWorkspace(workspace);
  return commit;
}

describe("a runner that rewires git", () => {
  it("makes the app's git run nothing, and reaches neither neighbour nor mirror", async () => {
    const workspace = await sandbox.open("evil");
    const neighbour = await sandbox.open("neighbour");
    await writeFiles(workspace.path, { "src/work.ts": "work\n" });
    await runAgent("rewires-git.mjs", workspace.path, trap);
    await sandbox.shell(workspace.path, "add", "--all").catch(() => "");
    expect(await trapSprung()).toBe(true);

    const commit = await finish(workspace);
    await sandbox.shell(neighbour.path, "status");
    await sandbox.open("later", commit);
    expect(await trapSprung()).toBe(false);
    expect(await sandbox.show(commit, "src/work.ts")).toBe("work\n");
  });

  it.each([
    ["a file that points elsewhere", async (path: string) => writeFile(path, "gitdir: /etc\n")],
    [
      "a repository of its own",
      async (path: string) => sandbox.shell(join(path, ".."), "init", "-q"),
    ],
    ["nothing at all", async () => Promise.resolve()],
  ])("may put %s in place of .git", async (_name, replace) => {
    const workspace = await sandbox.open("evil");
    await rm(join(workspace.path, ".git"));
    await replace(join(workspace.path, ".git"));
    await writeFiles(workspace.path, { "src/work.ts": "work\n" });
    expect((await sandbox.git.diffWorkspace(workspace)).paths).toEqual(["src/work.ts"]);
    await finish(workspace);
  });

  it("may destroy the repository behind its worktree", async () => {
    const workspace = await sandbox.open("evil");
    const repository = join(workspace.path, "../repository.git");
    await rm(repository, { recursive: true });
    await writeFiles(workspace.path, { "src/work.ts": "work\n" });
    const commit = await finish(workspace);
    expect(await sandbox.show(commit, "src/work.ts")).toBe("work\n");
  });
});

describe("a runner that commits by itself", () => {
  it("loses nothing: branches, history and index make no difference to the result", async () => {
    const workspace = await sandbox.open("busy");
    await runAgent("commits-itself.mjs", workspace.path);
    const commit = await finish(workspace);
    expect(await sandbox.git.parentsOf(REPO, commit)).toEqual([workspace.base]);
    expect((await sandbox.entries(commit)).map((entry) => entry.slice(7))).toEqual([
      ".gitignore",
      "committed.ts",
      "dist/forced.js",
      "readme.md",
      "src/a.ts",
      "staged.ts",
      "untracked.ts",
    ]);
    expect(await sandbox.show(commit, "readme.md")).toBe("changed behind the index\n");
  });

  it("may use the branch name and the stash of its neighbour", async () => {
    const [one, two] = [await sandbox.open("one"), await sandbox.open("two")];
    for (const { path, id } of [one, two]) {
      await sandbox.shell(path, "checkout", "--quiet", "-b", "fix");
      await writeFiles(path, { "src/a.ts": `${id}\n` });
      await sandbox.shell(path, "stash");
    }
    await sandbox.shell(one.path, "stash", "pop");
    expect(await sandbox.show(await finish(one), "src/a.ts")).toBe("one\n");
  });
});

describe("repositories inside the workspace", () => {
  it("gives the files of a repository that the runner made, with and without commits", async () => {
    const workspace = await sandbox.open("nested");
    for (const folder of ["empty", "vendor/deep", "vendor/deep/er"]) {
      await mkdir(join(workspace.path, folder), { recursive: true });
      await sandbox.shell(join(workspace.path, folder), "init", "--quiet");
      await writeFiles(join(workspace.path, folder), {
        "f.ts": folder,
        ".gitignore": "skip\n",
        skip: "",
      });
    }
    await sandbox.shell(join(workspace.path, "vendor/deep"), "add", "f.ts");
    await sandbox.shell(join(workspace.path, "vendor/deep"), "commit", "--quiet", "-m", "inner");
    const { paths } = await sandbox.git.diffWorkspace(workspace);
    expect(paths).toEqual([
      "empty/.gitignore",
      "empty/f.ts",
      "vendor/deep/.gitignore",
      "vendor/deep/er/.gitignore",
      "vendor/deep/er/f.ts",
      "vendor/deep/f.ts",
    ]);
  });

  it("keeps submodules, follows one to another commit, and never asks their own git", async () => {
    const person = join(sandbox.root, "person");
    const inner = join(sandbox.root, "inner");
    await sandbox.shell(sandbox.root, "init", "--quiet", inner);
    await writeFiles(inner, { "f.ts": "1" });
    await sandbox.shell(inner, "add", "f.ts");
    await sandbox.shell(inner, "commit", "--quiet", "-m", "first");
    const first = (await sandbox.shell(inner, "rev-parse", "HEAD")).trim();
    for (const name of ["moved", "dirty", "gone", "kept"])
      await sandbox.shell(
        person,
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${first},${name}`,
      );
    await sandbox.shell(person, "commit", "--quiet", "-m", "submodules");
    await sandbox.shell(person, "push", "--quiet", "origin", "main");
    const workspace = await sandbox.open("sub");
    expect((await sandbox.git.diffWorkspace(workspace)).paths).toEqual([]);

    await writeFile(join(sandbox.root, "evil.sh"), `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
    for (const name of ["moved", "dirty"]) {
      const sub = join(workspace.path, name);
      await sandbox.shell(workspace.path, "clone", "--quiet", inner, name);
      await writeFiles(sub, { "f.ts": "2", ".git/info/attributes": "* filter=trap" });
      if (name === "moved")
        await sandbox.shell(sub, "commit", "--quiet", "--allow-empty", "-m", "x");
      await sandbox.shell(sub, "config", "filter.trap.clean", join(sandbox.root, "evil.sh"));
    }
    await rm(join(workspace.path, "gone"), { recursive: true });
    await sandbox.shell(workspace.path, "add", "--all");
    expect(await trapSprung()).toBe(true);

    expect((await sandbox.git.diffWorkspace(workspace)).paths).toEqual(["gone", "moved"]);
    const commit = await finish(workspace);
    expect(await trapSprung()).toBe(false);
    expect(await sandbox.entries(commit)).toEqual(
      expect.arrayContaining(["160000 dirty", "160000 kept", "160000 moved"]),
    );
  });
});
