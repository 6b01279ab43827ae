import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGit, type GitWithLeftovers } from "../../../../src/adapters/git/create-git.ts";
import { createAside } from "../../../../src/adapters/host/aside.ts";
import { EXPLORE_REFS, evaluationRef } from "../../../../src/domain/exploration.ts";
import { instant, type Sha } from "../../../../src/domain/ids.ts";
import type { Leftover } from "../../../../src/ports/leftovers.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "../git-sandbox.ts";

const NOW = instant(1_700_000_000_000);

let sandbox: GitSandbox;
let git: GitWithLeftovers;
let mirror: string;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
  git = restarted();
});
afterEach(() => sandbox.remove());

/** As a process sees the data folder that was started after the one that worked in it. */
function restarted(): GitWithLeftovers {
  const { dataDir, remote } = sandbox;
  return createGit({
    dataDir,
    aside: createAside({ dataDir, now: () => NOW, say: () => undefined }),
    remoteUrl: () => `file://${remote}`,
    token: () => Promise.resolve(""),
    now: () => NOW,
  });
}

/** Makes a commit that no branch leads to. */
async function work(id: string, at = NOW): Promise<Sha> {
  const workspace = await sandbox.open(id);
  await writeFiles(workspace.path, { [`src/${id}.ts`]: id });
  const commit = await sandbox.git.commitWorkspace(workspace, { message: id, author: AUTHOR, at });
  await sandbox.git.closeWorkspace(workspace);
  return commit;
}

function refOf(issue: number, depth: number, [attempt, number]: readonly [number, number]): string {
  return evaluationRef({ issue }, { depth, attempt, number });
}

async function kept(): Promise<readonly Leftover[]> {
  return (await git.leftovers.list()).filter(({ kind }) => kind === "evaluation");
}

async function refs(): Promise<readonly string[]> {
  const listed = await sandbox.shell(
    mirror,
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    EXPLORE_REFS,
  );
  return listed.split("\n").filter(Boolean);
}

function leftover(name: string, at = NOW): Leftover {
  return { kind: "evaluation", repo: REPO, name, at };
}

describe("keepEvaluation", () => {
  it("keeps the commit under its ref, which is listed by the name of its run", async () => {
    const [one, two] = [await work("one"), await work("two")];
    await git.keepEvaluation(REPO, { ref: refOf(7, 1, [2, 3]), commit: one });
    await git.keepEvaluation(REPO, { ref: refOf(7, 2, [2, 14]), commit: two });
    expect(await refs()).toEqual([
      `refs/wavetrain/explore/7/1/2.3 ${one}`,
      `refs/wavetrain/explore/7/2/2.14 ${two}`,
    ]);
    expect(await kept()).toEqual([leftover("octo.shop.7.2.c3"), leftover("octo.shop.7.2.c14")]);
  });

  it("takes another commit for the same evaluation, and tells its age", async () => {
    const later = instant(NOW + 5000);
    const ref = refOf(7, 1, [1, 1]);
    await git.keepEvaluation(REPO, { ref, commit: await work("one") });
    const commit = await work("two", later);
    await git.keepEvaluation(REPO, { ref, commit });
    expect(await refs()).toEqual([`${ref} ${commit}`]);
    expect(await kept()).toEqual([leftover("octo.shop.7.1.c1", later)]);
  });

  it.each([
    "refs/heads/main",
    "refs/wavetrain/explore/",
    "refs/wavetrain/explore/7/1/2",
    "refs/wavetrain/explore/7/1/2.3/4",
    "refs/wavetrain/explore/7/1/2.3\ndelete refs/heads/main",
    "refs/wavetrain/explore/../rescue/7/1/2.3",
  ])("refuses %j", async (ref) => {
    const commit = await work("one");
    await expect(git.keepEvaluation(REPO, { ref, commit })).rejects.toMatchObject({
      code: "git-failed",
    });
    expect(await refs()).toEqual([]);
  });
});

describe("an evaluation that is of no use any more", () => {
  it("is forgotten whatever its depth, and no other with it", async () => {
    const commit = await work("one");
    const others = [refOf(7, 1, [2, 1]), refOf(7, 1, [22, 3]), refOf(77, 3, [2, 3])];
    for (const ref of [refOf(7, 3, [2, 3]), ...others])
      await git.keepEvaluation(REPO, { ref, commit });
    await git.leftovers.remove(leftover("octo.shop.7.2.c3"));
    expect(await refs()).toEqual(others.map((ref) => `${ref} ${commit}`).sort());
    await git.leftovers.remove(leftover("octo.shop.7.2.c3"));
    expect(await refs()).toHaveLength(3);
  });

  it("is one with its namesake of another depth: as young as the younger, and gone with it", async () => {
    const later = instant(NOW + 5000);
    const [one, two] = [await work("one", later), await work("two")];
    await git.keepEvaluation(REPO, { ref: refOf(7, 1, [1, 1]), commit: one });
    await git.keepEvaluation(REPO, { ref: refOf(7, 2, [1, 1]), commit: two });
    expect(await kept()).toEqual([leftover("octo.shop.7.1.c1", later)]);
    await git.leftovers.remove(leftover("octo.shop.7.1.c1"));
    expect(await refs()).toEqual([]);
  });

  it.each(["octo.shop.7.2", "octo.shop.7.2.c3/agent", "octo.shop.*.2.c3"])(
    "is not called %s",
    async (name) => {
      await git.fetchBranch(REPO, "main");
      await expect(git.leftovers.remove(leftover(name))).rejects.toMatchObject({
        code: "git-failed",
      });
    },
  );

  it("is not what a ref of somebody else's stands for", async () => {
    const tip = await git.fetchBranch(REPO, "main");
    for (const name of ["x/1/2.3", "7/2.3", "7/1/2.3.4"])
      await sandbox.shell(mirror, "update-ref", `${EXPLORE_REFS}${name}`, tip);
    expect(await kept()).toEqual([]);
  });
});

describe("evaluations", () => {
  it("outlive a compacted mirror", async () => {
    const commit = await work("one");
    await git.keepEvaluation(REPO, { ref: refOf(7, 1, [1, 1]), commit });
    await git.leftovers.compact(REPO);
    expect(await kept()).toHaveLength(1);
    await git.leftovers.remove(leftover("octo.shop.7.1.c1"));
    expect(await refs()).toEqual([]);
  });

  it("are taken over from a damaged mirror", async () => {
    const [one, two] = [await work("one"), await work("two")];
    await git.keepEvaluation(REPO, { ref: refOf(7, 1, [1, 1]), commit: one });
    await git.keepEvaluation(REPO, { ref: refOf(7, 2, [1, 6]), commit: two });
    await truncate(join(mirror, "HEAD"));
    git = restarted();
    await git.tendMirrors();
    expect(await refs()).toEqual([
      `${refOf(7, 1, [1, 1])} ${one}`,
      `${refOf(7, 2, [1, 6])} ${two}`,
    ]);
    expect(await sandbox.show(two, "src/two.ts")).toBe("two");
  });
});
