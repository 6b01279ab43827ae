import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { batchId, entryId, instant, sha } from "../../src/domain/ids.ts";
import type { Sha } from "../../src/domain/ids.ts";
import type { Deps, RepoContext } from "../../src/ports/deps.ts";
import { candidateIsHere } from "../../src/train/build-batch.ts";
import { auditLanded, auditStep } from "../../src/train/land/audit.ts";
import { createGitSandbox, REPO } from "../adapters/git/git-sandbox.ts";
import type { GitSandbox } from "../adapters/git/git-sandbox.ts";
import { aConfig } from "../support/a-config.ts";
import fc from "../support/fast-check.ts";

const CONTEXT: RepoContext = { repo: REPO, base: "main", config: aConfig() };

let sandbox: GitSandbox;
let deps: Deps;
let base: Sha;
beforeAll(async () => {
  sandbox = await createGitSandbox();
  deps = { git: sandbox.git } as Deps;
  base = await sandbox.git.fetchBranch(REPO, "main");
});
afterAll(() => sandbox.remove());

/** A branch of the remote with one commit on the first base, known to the mirror. */
async function aChange(branch: string, files: Readonly<Record<string, string>>): Promise<Sha> {
  await sandbox.shell(`${sandbox.root}/person`, "checkout", "--quiet", "main");
  await sandbox.commit(branch, files);
  return sandbox.git.fetchBranch(REPO, branch);
}

async function built(onto: Sha, heads: readonly Sha[]) {
  const parts = heads.map((head) => ({ entry: entryId(head), head, message: "m" }));
  const outcome = await sandbox.git.buildCandidate({
    repo: REPO,
    base: onto,
    method: "squash",
    parts,
  });
  if (outcome.kind !== "built") throw new Error(outcome.kind);
  return outcome.candidate;
}

/** A commit with this tree on this parent, as a queue that lost its way makes it. */
async function forged(tree: Sha, parent: Sha): Promise<Sha> {
  const mirror = `${sandbox.dataDir}/mirrors/octo/shop.git`;
  return sha(
    (await sandbox.shell(mirror, "commit-tree", tree, "-p", parent, "-m", "forged")).trim(),
  );
}

describe("the auditor, on real git", () => {
  it("catches a group whose second change was squashed onto the base from before the first, and takes it back", async () => {
    const first = await aChange("first", { "src/first.ts": "first\n" });
    const second = await aChange("second", { "src/second.ts": "second\n" });
    const landed = (await built(base, [first])).commit;
    const wrong = await forged((await built(base, [second])).tree, landed);
    expect(await sandbox.git.treeOf(REPO, wrong)).not.toBe((await built(landed, [second])).tree);
    expect(await auditLanded({ commit: landed, head: first }, CONTEXT, deps)).toBeUndefined();
    expect(await auditLanded({ commit: wrong, head: second }, CONTEXT, deps)).toContain(
      "is not its parent plus",
    );
    const tree = await sandbox.git.treeOf(REPO, wrong);
    const step = { commit: wrong, head: second, tree, onto: landed, method: "squash" } as const;
    expect(await auditStep(step, CONTEXT, deps)).toContain("is not its parent plus");
  });

  it("finds nothing wrong with a group of two that were put on top of each other", async () => {
    const heads = [
      await aChange("third", { "src/third.ts": "third\n" }),
      await aChange("fourth", { "lib/fourth.ts": "fourth\n" }),
    ];
    for (const { commit, head } of (await built(base, heads)).steps) {
      expect(await auditLanded({ commit, head }, CONTEXT, deps)).toBeUndefined();
    }
  });
});

describe("a host that did not build what landed", () => {
  it("fetches the change and finds nothing wrong, and knows that the candidate is not here", async () => {
    const head = await aChange("away", { "src/away.ts": "away\n" });
    const candidate = await built(base, [head]);
    await sandbox.git.stageCommit(REPO, "refs/heads/landed", candidate.commit);
    const other = createGit({
      dataDir: `${sandbox.root}/other-host`,
      remoteUrl: () => sandbox.remote,
      token: () => Promise.resolve(""),
      now: () => instant(0),
    });
    const there = { ...deps, git: other };
    const batch = { id: batchId("batch"), entries: [], candidate };
    await other.fetchBranch(REPO, "main");
    expect(await candidateIsHere(batch, CONTEXT, deps)).toBe(true);
    expect(await candidateIsHere(batch, CONTEXT, there)).toBe(false);
    await other.fetchBranch(REPO, "landed");
    const landed = { commit: candidate.commit, head };
    expect(await auditLanded(landed, CONTEXT, there)).toBeUndefined();
  });
});

describe("changes in directories of their own", () => {
  it("come to the same tree in whatever order they land", async () => {
    const heads: Sha[] = [];
    for (const n of [1, 2, 3, 4]) {
      heads.push(
        await aChange(`own-${n}`, { [`own-${n}/a.ts`]: `${n}\n`, [`own-${n}/b/c.ts`]: "c\n" }),
      );
    }
    const { tree } = await built(base, heads);
    const order = fc.shuffledSubarray(heads, { minLength: heads.length });
    await fc.assert(
      fc.asyncProperty(order, async (other) => {
        expect((await built(base, other)).tree).toBe(tree);
      }),
      { numRuns: 12 },
    );
  });
});
