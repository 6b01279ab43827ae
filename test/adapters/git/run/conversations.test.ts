import { execFile } from "node:child_process";
import { readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha } from "../../../../src/domain/ids.ts";
import { createGitSandbox, REPO, type GitSandbox } from "../git-sandbox.ts";

const NOWHERE = sha("1".repeat(40));

let sandbox: GitSandbox;
let mirror: string;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  mirror = join(sandbox.dataDir, "mirrors", "octo", "shop.git");
});
afterEach(async () => {
  await sandbox.git.close();
  await sandbox.remove();
});

/** Gits that stay to answer about the mirror: those whose folder it is. */
async function staying(): Promise<readonly number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/environ`, "utf8").catch(() => "")),
  );
  return ids.filter((_id, at) => environments[at]?.includes(`GIT_DIR=${mirror}\0`)).map(Number);
}

async function untilGone(): Promise<void> {
  while ((await staying()).length > 0) await new Promise(setImmediate);
}

describe("a git that stays to be asked", () => {
  it("answers many at once, each what it asked for", async () => {
    const { git } = sandbox;
    const first = await git.fetchBranch(REPO, "main");
    await sandbox.commit("main", { "b.txt": "b\n" });
    const second = await git.fetchBranch(REPO, "main");
    const [one, two, none] = await Promise.allSettled([
      git.treeOf(REPO, first),
      git.parentsOf(REPO, second),
      git.treeOf(REPO, NOWHERE),
    ]);
    const tree = (await sandbox.shell(mirror, "rev-parse", `${first}^{tree}`)).trim();
    expect(one).toMatchObject({ value: tree });
    expect(two).toMatchObject({ value: [first] });
    expect(none).toMatchObject({ reason: { code: "git-failed" } });
    expect(await staying()).toHaveLength(1);
  });

  it("is replaced when it was ended", async () => {
    const { git } = sandbox;
    const base = await git.fetchBranch(REPO, "main");
    const tree = await git.treeOf(REPO, base);
    for (const id of await staying()) process.kill(id, "SIGKILL");
    await expect(git.treeOf(REPO, base)).resolves.toBe(tree);
  });

  it("sees what was packed, and what came, after it began", async () => {
    const { git } = sandbox;
    const base = await git.fetchBranch(REPO, "main");
    const tree = await git.treeOf(REPO, base);
    await sandbox.shell(mirror, "repack", "-adq");
    await sandbox.shell(mirror, "pack-refs", "--all");
    await sandbox.commit("main", { "b.txt": "b\n" });
    const next = await git.fetchBranch(REPO, "main");
    await expect(git.parentsOf(REPO, next)).resolves.toEqual([base]);
    await expect(git.treeOf(REPO, base)).resolves.toBe(tree);
  });

  it("knows nothing of a mirror that was deleted or made anew", async () => {
    const { git } = sandbox;
    const base = await git.fetchBranch(REPO, "main");
    const kept = await git.openWorkspace({ repo: REPO, id: "one", base });
    const made = await git.commitWorkspace(kept, {
      message: "m",
      author: { name: "a", email: "a@example.test" },
    });
    await git.treeOf(REPO, made);
    await rename(mirror, `${mirror}.old`);
    await expect(git.treeOf(REPO, base)).rejects.toMatchObject({ code: "git-failed" });
    await git.fetchBranch(REPO, "main");
    await rm(`${mirror}.old`, { recursive: true });
    await expect(git.treeOf(REPO, made)).rejects.toMatchObject({ code: "git-failed" });
    await expect(git.treeOf(REPO, base)).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it("never says of a tree that is not there that nothing changed", async () => {
    const workspace = await sandbox.open("one");
    const { tree } = await sandbox.git.diffWorkspace(workspace);
    await expect(sandbox.git.diffWorkspace(workspace, { tree })).resolves.toEqual({
      paths: [],
      tree,
    });
    await expect(sandbox.git.diffWorkspace(workspace, { tree: NOWHERE })).rejects.toMatchObject({
      code: "git-failed",
    });
  });

  it("ends when told to, and is there again for the next question", async () => {
    const { git } = sandbox;
    const base = await git.fetchBranch(REPO, "main");
    const tree = await git.treeOf(REPO, base);
    await git.close();
    await untilGone();
    await expect(git.treeOf(REPO, base)).resolves.toBe(tree);
  });

  it("keeps no program alive, and does not outlive one that is killed", async () => {
    const base = await sandbox.git.fetchBranch(REPO, "main");
    await sandbox.git.close();
    await untilGone();
    const program = `
      import { createGit } from ${JSON.stringify(new URL("../../../../src/adapters/git/create-git.ts", import.meta.url).href)};
      const options = { remoteUrl: () => "", token: () => Promise.reject(new Error()), now: () => 0 };
      const git = createGit({ ...options, dataDir: ${JSON.stringify(sandbox.dataDir)} });
      console.log(await git.treeOf(${JSON.stringify(REPO)}, ${JSON.stringify(base)}));
      if (process.argv.includes("die")) process.kill(process.pid, "SIGKILL");
    `;
    const flags = ["--import", "tsx", "--input-type=module", "--eval", program];
    const run = promisify(execFile);
    await expect(run(process.execPath, flags)).resolves.toMatchObject({
      stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string,
    });
    await expect(run(process.execPath, [...flags, "die"])).rejects.toMatchObject({
      signal: "SIGKILL",
    });
    await untilGone();
  });
});
