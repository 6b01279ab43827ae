import { execFile } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Workspace } from "../../../src/ports/git.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

const run = promisify(execFile);
const COMMIT = { message: "do the task", author: AUTHOR };

let sandbox: GitSandbox;
let workspace: Workspace;
let neighbour: Workspace;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  await sandbox.commit("main", {
    "deep/x.ts": "x\n",
    "run.sh": "#!/bin/sh\n",
    "lib/One.ts": "1\n",
  });
  [workspace, neighbour] = [await sandbox.open("evil"), await sandbox.open("neighbour")];
  await writeFiles(neighbour.path, { "src/neighbour.ts": "n\n" });
  await writeFiles(workspace.path, { "src/work.ts": "work\n" });
});
afterEach(() => sandbox.remove());

const at = (path: string): string => join(workspace.path, path);

/** All that the app does with a workspace after its run: a commit, saved work, and neighbours who notice nothing. */
async function finish(): Promise<{ readonly paths: readonly string[]; readonly commit: Sha }> {
  const { paths } = await sandbox.git.diffWorkspace(workspace);
  const commit = await sandbox.git.commitWorkspace(workspace, COMMIT);
  const saved = await sandbox.git.rescueWorkspace(workspace);
  expect(await sandbox.show(saved!, "src/work.ts")).toBe("work\n");
  await sandbox.git.closeWorkspace(workspace);
  expect((await sandbox.git.diffWorkspace(neighbour)).paths).toEqual(["src/neighbour.ts"]);
  const next = await sandbox.open("next");
  expect(await sandbox.shell(next.path, "status", "--porcelain", "--ignored")).toBe("");
  expect((await sandbox.shell(next.path, "rev-parse", "HEAD")).trim()).toBe(next.base);
  return { paths, commit };
}

describe("a runner's files", () => {
  it("may be links to /etc: they stay links, and nothing behind them is read or changed", async () => {
    const before = await lstat("/etc");
    await symlink("/etc", at("etc"));
    await symlink("/etc/passwd", at("src/passwd"));
    await rm(at("deep"), { recursive: true });
    await symlink("/etc", at("deep"));
    const { paths, commit } = await finish();
    expect(paths).toEqual(["deep", "deep/x.ts", "etc", "src/passwd", "src/work.ts"]);
    expect(await sandbox.entries(commit)).toEqual(
      expect.arrayContaining(["120000 deep", "120000 etc", "120000 src/passwd"]),
    );
    expect(await sandbox.show(commit, "src/passwd")).toBe("/etc/passwd");
    expect((await lstat("/etc")).ctimeMs).toBe(before.ctimeMs);
  });

  it("may be pipes and sockets, also in place of tracked ones: nobody waits for them", async () => {
    await rm(at("readme.md"));
    await run("mkfifo", [at("pipe"), at("readme.md"), at("src/pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    const { paths } = await finish();
    server.close();
    expect(paths).toEqual(["readme.md", "src/work.ts"]);
  });

  it("may be pipes where git's own files were", async () => {
    await rm(at(".git"));
    await run("mkfifo", [at(".git")]);
    const repository = at("../repository.git");
    await rm(join(repository, "HEAD"));
    await rm(join(repository, "worktrees/tree/index"));
    await run("mkfifo", [join(repository, "HEAD"), join(repository, "refs/heads/pipe")]);
    expect((await finish()).paths).toEqual(["src/work.ts"]);
  });

  it("may have any name that a file can have", async () => {
    const names = [
      "new\nline.ts",
      "tab\there",
      '"quoted"',
      "-dash",
      " space ",
      "ä\u0301.ts",
      ":(top)x",
    ];
    for (const name of names) await writeFile(at(name), "odd\n");
    await writeFile(at("l".repeat(255)), "long\n");
    await writeFile(
      Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.from([0xff, 0x80])]),
      "",
    );
    const { paths, commit } = await finish();
    expect(paths).toEqual(expect.arrayContaining([...names, "l".repeat(255)]));
    expect(paths).toHaveLength(names.length + 3);
    expect(await sandbox.show(commit, "new\nline.ts")).toBe("odd\n");
    expect(
      await sandbox.shell(join(sandbox.dataDir, "mirrors/octo/shop.git"), "ls-tree", commit),
    ).toContain('"\\377\\200"');
  });

  it("may change their mode, their letter case, and from file to folder and back", async () => {
    await chmod(at("run.sh"), 0o755);
    await rename(at("lib/One.ts"), at("lib/one.ts"));
    await rm(at("readme.md"));
    await writeFiles(workspace.path, { "readme.md/inside.md": "inside\n" });
    await rm(at("deep"), { recursive: true });
    await writeFile(at("deep"), "a file now\n");
    const { paths, commit } = await finish();
    expect(paths).toEqual([
      "deep",
      "deep/x.ts",
      "lib/One.ts",
      "lib/one.ts",
      "readme.md",
      "readme.md/inside.md",
      "run.sh",
      "src/work.ts",
    ]);
    expect(await sandbox.entries(commit)).toEqual(
      expect.arrayContaining(["100755 run.sh", "100644 deep", "100644 readme.md/inside.md"]),
    );
  });

  it("may be thousands, and one of them large", async () => {
    await mkdir(at("many"));
    const names = Array.from({ length: 3000 }, (_, index) => `many/${index}.ts`);
    await Promise.all(names.map((name) => writeFile(at(name), "")));
    await writeFile(at("large.bin"), Buffer.alloc(32 << 20));
    expect((await finish()).paths).toHaveLength(3002);
  });

  it("may be closed to their owner", async () => {
    await mkdir(at("closed"));
    await writeFile(at("closed/file.ts"), "closed\n");
    await chmod(at("closed/file.ts"), 0o000);
    await chmod(at("closed"), 0o000);
    const { paths, commit } = await finish();
    expect(paths).toEqual(["closed/file.ts", "src/work.ts"]);
    expect(await sandbox.show(commit, "closed/file.ts")).toBe("closed\n");
  });
});

describe("a runner's git", () => {
  it("may rewrite history, and leave from a branch that shares none with the base", async () => {
    await sandbox.shell(workspace.path, "checkout", "--quiet", "--orphan", "fresh");
    await sandbox.shell(workspace.path, "add", "--all");
    await sandbox.shell(workspace.path, "commit", "--quiet", "--message", "all of it");
    await sandbox.shell(workspace.path, "branch", "--force", "main", "HEAD");
    await sandbox.shell(workspace.path, "reflog", "expire", "--expire=now", "--all");
    await sandbox.shell(workspace.path, "gc", "--quiet", "--prune=now");
    const { paths, commit } = await finish();
    expect(paths).toEqual(["src/work.ts"]);
    expect(await sandbox.git.parentsOf(REPO, commit)).toEqual([workspace.base]);
  });

  it("may include settings from elsewhere and rename every address: the app's git reads none of them", async () => {
    const trap = join(sandbox.root, "trap");
    await writeFile(join(sandbox.root, "evil.sh"), `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
    const evil = join(sandbox.root, "evil.config");
    await writeFile(
      evil,
      `[core]\n\tfsmonitor = ${join(sandbox.root, "evil.sh")}\n[url "file:///nowhere"]\n\tinsteadOf = file://\n`,
    );
    const config = join(workspace.path, "../repository.git/config");
    const include = `[include]\n\tpath = ${evil}\n[includeIf "gitdir:/"]\n\tpath = ${evil}\n`;
    await writeFile(config, `${await readFile(config, "utf8")}${include}`);
    await sandbox.shell(workspace.path, "status").catch(() => "");
    expect(await readdir(sandbox.root)).toContain("trap");
    await rm(trap);
    await finish();
    await sandbox.git.fetchBranch(REPO, "main");
    expect(await readdir(sandbox.root)).not.toContain("trap");
  });

  it("may declare submodules that lead anywhere: nobody fetches them", async () => {
    const trap = join(sandbox.root, "trap");
    await writeFiles(workspace.path, {
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c 'touch ${trap}'\n\tupdate = !touch ${trap}\n`,
    });
    await mkdir(at("x"));
    await sandbox.shell(
      ...([workspace.path, "update-index", "--add", "--cacheinfo"] as const),
      `160000,${workspace.base},x`,
    );
    const { commit } = await finish();
    const verified = await sandbox.open("verified", commit);
    expect(await readdir(verified.path)).toContain(".gitmodules");
    expect(await readdir(sandbox.root)).not.toContain("trap");
  });
});

it("sixteen workspaces are opened, changed, committed, saved and closed at once", async () => {
  const base = await sandbox.git.fetchBranch(REPO, "main");
  const one = async (index: number): Promise<readonly string[]> => {
    const id = `run-${index}`;
    const mine = await sandbox.open(id, base);
    await writeFiles(mine.path, { [`src/${id}.ts`]: id });
    await sandbox.shell(mine.path, "add", "--all");
    await sandbox.shell(mine.path, "commit", "--quiet", "--message", id);
    const { paths } = await sandbox.git.diffWorkspace(mine);
    const commit = await sandbox.git.commitWorkspace(mine, COMMIT);
    await sandbox.git.rescueWorkspace(mine);
    await sandbox.git.pushBranch({ repo: REPO, branch: id, commit, expected: undefined });
    await sandbox.git.closeWorkspace(mine);
    return paths;
  };
  const indices = Array.from({ length: 16 }, (_, index) => index);
  const diffs = await Promise.all(indices.map(one));
  expect(diffs).toEqual(indices.map((index) => [`src/run-${index}.ts`]));
});
