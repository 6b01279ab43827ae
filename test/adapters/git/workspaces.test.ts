import {
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  chmod,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

const COMMIT = { message: "do the task", author: AUTHOR };

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

describe("openWorkspace", () => {
  it("gives a clean worktree at the base, detached", async () => {
    const workspace = await sandbox.open("run-1");
    expect(await readFile(join(workspace.path, "src/a.ts"), "utf8")).toBe("a\n");
    expect((await lstat(join(workspace.path, ".git"))).isFile()).toBe(true);
    expect(await sandbox.shell(workspace.path, "status", "--porcelain")).toBe("");
    expect((await sandbox.shell(workspace.path, "rev-parse", "HEAD")).trim()).toBe(workspace.base);
    await expect(sandbox.shell(workspace.path, "symbolic-ref", "HEAD")).rejects.toThrow();
    expect(await sandbox.shell(workspace.path, "worktree", "list")).toContain(workspace.path);
  });

  it("opens eight of one repository at once", async () => {
    const base = await sandbox.git.fetchBranch(REPO, "main");
    const ids = Array.from({ length: 8 }, (_, index) => `run-${index}`);
    const opened = await Promise.all(ids.map((id) => sandbox.open(id, base)));
    await Promise.all(opened.map(({ path, id }) => writeFiles(path, { [`src/${id}.ts`]: id })));
    const diffs = await Promise.all(opened.map((one) => sandbox.git.diffWorkspace(one)));
    expect(diffs.map(({ paths }) => paths)).toEqual(ids.map((id) => [`src/${id}.ts`]));
  });

  it("opens eight of a repository that has no mirror yet while it is fetched eight times", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `run-${index}`);
    const opened = await Promise.all(ids.map((id) => sandbox.open(id)));
    expect(new Set(opened.map(({ base }) => base)).size).toBe(1);
  });

  it("refuses an id that is open, and takes it again once closed", async () => {
    const workspace = await sandbox.open("run-1");
    await expect(sandbox.open("run-1")).rejects.toMatchObject({ code: "git-failed" });
    await sandbox.git.closeWorkspace(workspace);
    await expect(sandbox.open("run-1")).resolves.toMatchObject({ path: workspace.path });
  });

  it.each(["..", ".", "", "a".repeat(300)])("refuses the id %j", async (id) => {
    await expect(sandbox.open(id)).rejects.toMatchObject({ code: "git-failed" });
  });

  it("keeps an id with slashes in its own folder", async () => {
    const workspace = await sandbox.open("octo/shop#12/../../../1");
    expect(workspace.path.startsWith(join(sandbox.dataDir, "workspaces/octo/shop/"))).toBe(true);
    expect(await sandbox.git.listWorkspaces()).toEqual([workspace]);
  });

  it("leaves nothing behind when the base is unknown", async () => {
    await sandbox.git.fetchBranch(REPO, "main");
    const unknown = "1".repeat(40) as never;
    await expect(sandbox.open("run-1", unknown)).rejects.toMatchObject({ code: "git-failed" });
    expect(await sandbox.git.listWorkspaces()).toEqual([]);
    expect(await readdir(join(sandbox.dataDir, "trash"))).toEqual([]);
  });
});

describe("listWorkspaces", () => {
  it("finds what a crashed program left, ready to be saved and closed", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFiles(workspace.path, { "half.ts": "half" });
    const later = await createGitSandbox({ dataDir: sandbox.dataDir });
    const [found] = await later.git.listWorkspaces();
    expect(found).toEqual(workspace);
    expect(await later.git.rescueWorkspace(workspace)).toBeDefined();
    await later.git.closeWorkspace(workspace);
    expect(await later.git.listWorkspaces()).toEqual([]);
    await later.remove();
  });

  it("lists one whose base a runner made unreadable, so that it can be closed", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFile(join(workspace.path, "../base"), "nonsense");
    expect(await sandbox.git.listWorkspaces()).toMatchObject([{ id: "run-1" }]);
    await sandbox.git.closeWorkspace(workspace);
    expect(await sandbox.git.listWorkspaces()).toEqual([]);
  });
});

describe("closeWorkspace", () => {
  it("removes the folder, and closing twice is harmless", async () => {
    const workspace = await sandbox.open("run-1");
    await sandbox.git.closeWorkspace(workspace);
    await sandbox.git.closeWorkspace(workspace);
    await expect(lstat(workspace.path)).rejects.toThrow();
    expect(await sandbox.git.listWorkspaces()).toEqual([]);
  });

  it("removes a link to elsewhere without following it", async () => {
    const workspace = await sandbox.open("run-1");
    const outside = join(sandbox.root, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "keep"), "");
    await symlink(outside, join(workspace.path, "link"));
    await sandbox.git.closeWorkspace(workspace);
    expect(await readdir(outside)).toEqual(["keep"]);
  });
});

describe("diffWorkspace", () => {
  it("lists both sides of a rename, deletions and new files, sorted, and no ignored files", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFiles(workspace.path, {
      "src/a.ts": null,
      "src/moved.ts": "a\n",
      "readme.md": null,
      "dist/out.js": "built",
      "new.ts": "n",
    });
    const { paths } = await sandbox.git.diffWorkspace(workspace);
    expect(paths).toEqual(["new.ts", "readme.md", "src/a.ts", "src/moved.ts"]);
  });

  it("is empty when nothing changed", async () => {
    const workspace = await sandbox.open("run-1");
    expect((await sandbox.git.diffWorkspace(workspace)).paths).toEqual([]);
  });

  it("sees a change of the same size made right after opening", async () => {
    for (let round = 0; round < 10; round += 1) {
      const workspace = await sandbox.open(`run-${round}`);
      await writeFile(join(workspace.path, "src/a.ts"), "b\n");
      expect((await sandbox.git.diffWorkspace(workspace)).paths).toEqual(["src/a.ts"]);
    }
  });

  it("refuses a worktree that was replaced by a link to somewhere else", async () => {
    const workspace = await sandbox.open("run-1");
    await rm(workspace.path, { recursive: true });
    await symlink("/etc", workspace.path);
    await expect(sandbox.git.diffWorkspace(workspace)).rejects.toMatchObject({
      code: "git-failed",
    });
  });
});

describe("commitWorkspace", () => {
  it("makes one commit on the base with the author and the time that it was given", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFiles(workspace.path, { "src/b.ts": "b\n" });
    const commit = await sandbox.git.commitWorkspace(workspace, COMMIT);
    expect(await sandbox.git.parentsOf(REPO, commit)).toEqual([workspace.base]);
    const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
    expect(await sandbox.shell(mirror, "log", "-1", "--format=%an %ae %at %s", commit)).toBe(
      "Octo Cat octo@example.test 1700000000 do the task\n",
    );
  });

  it("commits what a diff saw, whatever was written since", async () => {
    const workspace = await sandbox.open("run-1");
    await writeFiles(workspace.path, { "src/b.ts": "b\n" });
    const { tree } = await sandbox.git.diffWorkspace(workspace);
    await writeFiles(workspace.path, { "src/b.ts": "late\n", "src/late.ts": "late\n" });
    const commit = await sandbox.git.commitWorkspace(workspace, { ...COMMIT, tree });
    expect(await sandbox.show(commit, "src/b.ts")).toBe("b\n");
    const { paths } = await sandbox.git.diffWorkspace(workspace, { against: commit, tree });
    expect(paths).toEqual([]);
  });

  it("keeps links, executable files and any file name", async () => {
    const workspace = await sandbox.open("run-1");
    const names = [
      "with space",
      "-dash",
      "new\nline",
      "täst",
      "*glob?",
      ":(top)x",
      '"quoted"',
      "back\\slash",
    ];
    await writeFiles(workspace.path, Object.fromEntries(names.map((name) => [name, name])));
    await symlink("/etc", join(workspace.path, "etc"));
    await symlink("nowhere", join(workspace.path, "dangling"));
    await writeFiles(workspace.path, { "tool.sh": "#!/bin/sh\n" });
    await chmod(join(workspace.path, "tool.sh"), 0o755);
    const commit = await sandbox.git.commitWorkspace(workspace, COMMIT);
    const entries = await sandbox.entries(commit);
    for (const name of names) expect(entries).toContain(`100644 ${name}`);
    expect(entries).toEqual(
      expect.arrayContaining(["120000 etc", "120000 dangling", "100755 tool.sh"]),
    );
    expect(entries.some((entry) => entry.includes("etc/"))).toBe(false);
    expect(await sandbox.show(commit, "etc")).toBe("/etc");
    const again = await sandbox.open("run-2", commit);
    expect(await readlink(join(again.path, "etc"))).toBe("/etc");
    expect(await readFile(join(again.path, "new\nline"), "utf8")).toBe("new\nline");
  });

  it("turns a folder into a link and a file into a folder", async () => {
    const workspace = await sandbox.open("run-1");
    await rm(join(workspace.path, "src"), { recursive: true });
    await symlink("/etc", join(workspace.path, "src"));
    await rm(join(workspace.path, "readme.md"));
    await writeFiles(workspace.path, { "readme.md/index.md": "x" });
    const commit = await sandbox.git.commitWorkspace(workspace, COMMIT);
    expect(await sandbox.entries(commit)).toEqual([
      "100644 .gitignore",
      "100644 readme.md/index.md",
      "120000 src",
    ]);
  });
});
