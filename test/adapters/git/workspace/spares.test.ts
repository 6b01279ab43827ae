import { execFile } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../../src/ports/git.ts";
import { createGitSandbox, REPO, writeFiles, type GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

const inodeOf = async ({ path }: Workspace): Promise<number> => (await lstat(path)).ino;

/** Type and mode (as one number) and name of everything in a worktree. */
async function listing({ path }: Workspace): Promise<readonly string[]> {
  const names = await readdir(path, { recursive: true });
  const stats = await Promise.all(names.map((name) => lstat(join(path, name))));
  return names.map((name, index) => `${stats[index]?.mode.toString(8)} ${name}`).sort();
}

describe("a workspace that is used again", () => {
  it("is the one that was closed, clean, with a repository that knows nothing of the last run", async () => {
    const first = await sandbox.open("first");
    const inode = await inodeOf(first);
    await sandbox.shell(first.path, "checkout", "--quiet", "-b", "secret");
    await sandbox.shell(first.path, "config", "core.hooksPath", "/evil");
    await writeFiles(first.path, { "src/a.ts": "changed\n", "dist/built.js": "old" });
    await sandbox.git.closeWorkspace(first);

    const second = await sandbox.open("second");
    expect(await inodeOf(second)).toBe(inode);
    expect(await sandbox.shell(second.path, "status", "--porcelain", "--ignored")).toBe("");
    expect(await sandbox.shell(second.path, "branch", "--list", "secret")).toBe("");
    await expect(sandbox.shell(second.path, "config", "core.hooksPath")).rejects.toThrow();
    expect((await sandbox.shell(second.path, "rev-parse", "HEAD")).trim()).toBe(second.base);
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual([]);
  });

  it("is not given to who wants one in which nobody was: others may hold a folder of it open", async () => {
    const first = await sandbox.open("first");
    const held = await open(join(first.path, "src"));
    await sandbox.git.closeWorkspace(first);
    const { base } = first;
    const left = join(sandbox.dataDir, "workspaces/octo/shop/fresh");
    await writeFiles(left, { base, stage: "prepared", "tree/src/left.ts": "evil\n" });
    const fresh = await sandbox.git.openWorkspace({ repo: REPO, id: "fresh", base, fresh: true });
    const used = await sandbox.open("used");
    await writeFile(`/proc/self/fd/${held.fd}/evil.ts`, "evil\n");
    await held.close();
    expect(await readdir(join(fresh.path, "src"))).toEqual(["a.ts"]);
    expect(await readdir(join(used.path, "src"))).toEqual(["a.ts", "evil.ts"]);
    expect(fresh).toEqual({ repo: REPO, id: "fresh", place: "fresh", base, path: fresh.path });
  });

  it("is at the base that is asked for now", async () => {
    const first = await sandbox.open("first");
    const inode = await inodeOf(first);
    await sandbox.git.closeWorkspace(first);
    const moved = await sandbox.commit("main", { "src/a.ts": null, "src/new.ts": "new\n" });
    const second = await sandbox.open("second");
    expect(await inodeOf(second)).toBe(inode);
    expect(await readdir(join(second.path, "src"))).toEqual(["new.ts"]);
    expect((await sandbox.shell(second.path, "rev-parse", "HEAD")).trim()).toBe(moved);
    expect(await sandbox.shell(second.path, "status", "--porcelain")).toBe("");
    expect(await sandbox.git.listWorkspaces()).toEqual([second]);
    await writeFiles(second.path, { "src/new.ts": "NEW\n" });
    expect((await sandbox.git.diffWorkspace(second)).paths).toEqual(["src/new.ts"]);
  });

  it("is like a fresh one, whatever the last run did to its files", async () => {
    await sandbox.commit("main", { "deep/er/x.ts": "x\n", "deep/er/y.ts": "y\n", "run.sh": "r\n" });
    const first = await sandbox.open("first");
    const inode = await inodeOf(first);
    const at = (path: string): string => join(first.path, path);
    const outside = join(sandbox.root, "outside");
    await mkdir(at("src/.git"));
    await writeFile(at("src/.git/config"), "[core]\n\tfsmonitor = /evil\n");
    await mkdir(at("empty/folder"), { recursive: true });
    await writeFiles(first.path, { "dist/kept.js": "", "deep/.git": "gitdir: /evil\n" });
    await promisify(execFile)("mkfifo", [at("pipe")]);
    await rm(at("deep/er"), { recursive: true });
    await symlink("/etc", at("deep/er"));
    await rm(at("readme.md"));
    await mkdir(at("readme.md"));
    await sandbox.shell(at("readme.md"), "init", "--quiet");
    await chmod(at(".gitignore"), 0o666);
    await chmod(at("run.sh"), 0o755);
    await link(at("src/a.ts"), outside);
    await sandbox.git.closeWorkspace(first);
    await writeFile(outside, "changed through a link that the last run kept\n");

    const again = await sandbox.open("again");
    const fresh = await sandbox.open("fresh");
    expect(await inodeOf(again)).toBe(inode);
    expect(await listing(again)).toEqual(await listing(fresh));
    expect(await readFile(join(again.path, "src/a.ts"), "utf8")).toBe("a\n");
    expect((await sandbox.git.diffWorkspace(again)).paths).toEqual([]);
  });

  it("is never given to two", async () => {
    const open = async (round: string): Promise<readonly Workspace[]> =>
      Promise.all(Array.from({ length: 6 }, (_, index) => sandbox.open(`${round}-${index}`)));
    const first = await open("first");
    await Promise.all(first.slice(2).map((one) => sandbox.git.closeWorkspace(one)));
    const second = await open("second");
    const inodes = await Promise.all([...first.slice(0, 2), ...second].map(inodeOf));
    expect(new Set(inodes).size).toBe(8);
  });

  it("does not take the place of one that is open", async () => {
    const [open, closed] = [await sandbox.open("open"), await sandbox.open("closed")];
    await sandbox.git.closeWorkspace(closed);
    await expect(sandbox.open("open")).rejects.toMatchObject({ code: "git-failed" });
    expect(await sandbox.git.listWorkspaces()).toEqual([open]);
    await expect(sandbox.open("closed")).resolves.toBeDefined();
  });
});

describe("a workspace that is not used again", () => {
  const spares = (): Promise<readonly string[]> =>
    readdir(join(sandbox.dataDir, "spares/octo/shop")).catch(() => []);

  it("was replaced by the runner", async () => {
    const workspace = await sandbox.open("first");
    await rm(workspace.path, { recursive: true });
    await symlink(sandbox.root, workspace.path);
    await sandbox.git.closeWorkspace(workspace);
    expect(await spares()).toEqual([]);
    expect(await readdir(sandbox.root)).toContain("remote.git");
  });

  it("holds a file whose name we cannot read", async () => {
    const workspace = await sandbox.open("first");
    await writeFile(Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.from([0xff])]), "");
    await sandbox.git.closeWorkspace(workspace);
    expect(await spares()).toEqual([]);
    expect(await readdir(join(sandbox.dataDir, "trash"))).toEqual([]);
  });

  it("would be one too many", async () => {
    await sandbox.remove();
    sandbox = await createGitSandbox({ maxSpares: 1 });
    const [one, two] = [await sandbox.open("one"), await sandbox.open("two")];
    await sandbox.git.closeWorkspace(one);
    await sandbox.git.closeWorkspace(two);
    expect(await spares()).toHaveLength(1);
    expect(await sandbox.git.fetchBranch(REPO, "main")).toBe(one.base);
  });
});
