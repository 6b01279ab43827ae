import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Workspace } from "../../../src/ports/git.ts";
import { createGitSandbox, REPO, writeFiles, type GitSandbox } from "./git-sandbox.ts";

const run = promisify(execFile);
const AGENTS = resolve(import.meta.dirname, "../../support/fake-agents");

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

async function rescue(workspace: Workspace): Promise<Sha> {
  const saved = await sandbox.git.rescueWorkspace(workspace);
  if (saved === undefined) throw new Error("nothing was saved");
  await sandbox.git.closeWorkspace(workspace);
  return saved;
}

/** Subjects of what was saved and is not part of the base. */
async function subjects(saved: Sha, base: Sha): Promise<readonly string[]> {
  const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
  const listed = await sandbox.shell(mirror, "log", "--format=%s", saved, "--not", base);
  return listed.trim().split("\n").slice(1).sort();
}

describe("rescueWorkspace", () => {
  it("saves unfinished work on a ref of the mirror", async () => {
    const workspace = await sandbox.open("run.1..lock");
    await writeFiles(workspace.path, { "half.ts": "half" });
    const saved = await rescue(workspace);
    const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
    const refs = await sandbox.shell(mirror, "for-each-ref", "refs/wavetrain/rescue");
    expect(refs).toContain(saved);
    expect(await sandbox.show(saved, "half.ts")).toBe("half");
    expect(await sandbox.git.parentsOf(REPO, saved)).toEqual([workspace.base]);
  });

  it("saves nothing when nothing changed", async () => {
    expect(await sandbox.git.rescueWorkspace(await sandbox.open("run-1"))).toBeUndefined();
  });

  it.each([
    ["has no files yet", ["stage", "index", "tree", "repository.git"]],
    ["is half checked out", ["stage", "index"]],
    ["is whole but for the last word", ["stage"]],
  ])("has nothing to save of a workspace that %s when the app is killed", async (_, missing) => {
    const workspace = await sandbox.open("killed");
    const root = dirname(workspace.path);
    for (const name of missing) await rm(join(root, name), { recursive: true });
    expect(await sandbox.git.rescueWorkspace(workspace)).toBeUndefined();
    await sandbox.git.closeWorkspace(workspace);
    expect(await sandbox.git.listWorkspaces()).toEqual([]);
  });

  it("saves files that are safe already only with commits of the runner's own", async () => {
    const workspace = await sandbox.open("safe");
    await writeFiles(workspace.path, { "pushed.ts": "pushed" });
    const safe = { filesAreSafe: true };
    expect(await sandbox.git.rescueWorkspace(workspace, safe)).toBeUndefined();
    await sandbox.shell(workspace.path, "commit", "--quiet", "--allow-empty", "--message", "own");
    const saved = await sandbox.git.rescueWorkspace(workspace, safe);
    if (saved === undefined) throw new Error("nothing was saved");
    expect(await subjects(saved, workspace.base)).toEqual(["own"]);
  });

  it("saves commits that no file of the worktree shows any more, also amended and deleted ones", async () => {
    const workspace = await sandbox.open("busy");
    const env = { PATH: process.env["PATH"], HOME: sandbox.root };
    await run(process.execPath, [join(AGENTS, "commits-itself.mjs")], { cwd: workspace.path, env });
    const saved = await rescue(workspace);
    expect(await subjects(saved, workspace.base)).toEqual(["a new root", "mine", "rewritten"]);
  });

  it("saves a stash and a branch although the files are as they were", async () => {
    const workspace = await sandbox.open("stashed");
    await writeFiles(workspace.path, { "src/a.ts": "stashed\n" });
    await sandbox.shell(workspace.path, "stash", "push", "--message", "later");
    await sandbox.shell(workspace.path, "checkout", "--quiet", "-b", "side");
    await sandbox.shell(workspace.path, "commit", "--quiet", "--allow-empty", "-m", "aside");
    await sandbox.shell(workspace.path, "pack-refs", "--all");
    await sandbox.shell(workspace.path, "checkout", "--quiet", workspace.base);
    const saved = await rescue(workspace);
    expect(await subjects(saved, workspace.base)).toEqual(
      expect.arrayContaining(["aside", "On (no branch): later"]),
    );
  });

  it("saves the commits of a repository that the runner put in place of ours", async () => {
    const workspace = await sandbox.open("own");
    await rm(join(workspace.path, ".git"));
    await sandbox.shell(workspace.path, "init", "--quiet");
    await sandbox.shell(workspace.path, "commit", "--quiet", "--allow-empty", "-m", "own");
    expect(await subjects(await rescue(workspace), workspace.base)).toEqual(["own"]);
  });

  it("runs nothing that the runner configured for whoever reads its repository", async () => {
    const workspace = await sandbox.open("evil");
    const trap = join(sandbox.root, "trap-sprung");
    await sandbox.shell(workspace.path, "commit", "--quiet", "--allow-empty", "-m", "evil");
    await run(process.execPath, [join(AGENTS, "rewires-git.mjs"), trap], { cwd: workspace.path });
    await rescue(workspace);
    await expect(run("ls", [trap])).rejects.toThrow();
  });

  it("saves the files and says what is missing when the runner's commits are damaged", async () => {
    const workspace = await sandbox.open("damaged");
    await writeFiles(workspace.path, { "half.ts": "half" });
    await sandbox.shell(workspace.path, "add", "half.ts");
    await sandbox.shell(workspace.path, "commit", "--quiet", "-m", "whole");
    const tree = (await sandbox.shell(workspace.path, "rev-parse", "HEAD^{tree}")).trim();
    const head = (await sandbox.shell(workspace.path, "rev-parse", "HEAD")).trim();
    const objects = join(workspace.path, "../repository.git/objects");
    await rm(join(objects, tree.slice(0, 2), tree.slice(2)));
    await writeFile(join(workspace.path, "half.ts"), "more");
    const saved = await rescue(workspace);
    expect(await sandbox.show(saved, "half.ts")).toBe("more");
    const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
    expect(await sandbox.shell(mirror, "log", "-1", "--format=%B", saved)).toContain(head);
  });

  it("is not held up by a pipe in place of a branch", async () => {
    const workspace = await sandbox.open("piped");
    await writeFiles(workspace.path, { "half.ts": "half" });
    await run("mkfifo", [join(workspace.path, "../repository.git/refs/heads/pipe")]);
    await expect(rescue(workspace)).resolves.toBeDefined();
  });
});
