import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LandingMethod } from "../../../../src/domain/entry.ts";
import { entryId, sha, type Sha } from "../../../../src/domain/ids.ts";
import type { CandidateOutcome, CandidatePart } from "../../../../src/ports/git.ts";
import { createGitSandbox, REPO, type GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
let base: Sha;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  base = await sandbox.git.fetchBranch(REPO, "main");
});
afterEach(() => sandbox.remove());

/** A change on a branch of its own, made from the first commit. */
async function change(
  branch: string,
  files: Readonly<Record<string, string | null>>,
): Promise<Sha> {
  await sandbox.shell(`${sandbox.root}/person`, "checkout", "--quiet", "-B", branch, base);
  await sandbox.commit(branch, files);
  return sandbox.git.fetchBranch(REPO, branch);
}

function partOf(head: Sha, name = "e1"): CandidatePart {
  return { entry: entryId(name), head, message: `land ${name}` };
}

function build(onto: Sha, head: Sha, method: LandingMethod = "merge"): Promise<CandidateOutcome> {
  return sandbox.git.buildCandidate({ repo: REPO, base: onto, method, parts: [partOf(head)] });
}

describe("buildCandidate", () => {
  it("merges two changes into a commit with both as parents and moves no branch", async () => {
    const [a, b] = [await change("a", { a: "a" }), await change("b", { b: "b" })];
    const outcome = await build(a, b);
    if (outcome.kind !== "built") throw new Error(outcome.kind);
    const { commit, tree } = outcome.candidate;
    expect(await sandbox.git.parentsOf(REPO, commit)).toEqual([a, b]);
    expect(await sandbox.git.treeOf(REPO, commit)).toBe(tree);
    expect(await sandbox.entries(commit)).toEqual(expect.arrayContaining(["100644 a", "100644 b"]));
    expect(await sandbox.git.remoteBranch(REPO, "a")).toBe(a);
    expect(await sandbox.git.remoteBranch(REPO, "main")).toBe(base);
  });

  it("gives the same commit for the same base and head, at any time", async () => {
    const [a, b] = [await change("a", { a: "a" }), await change("b", { b: "b" })];
    const other = await createGitSandbox({
      dataDir: `${sandbox.root}/elsewhere`,
      remoteUrl: () => `file://${sandbox.remote}`,
      now: () => 1_800_000_000_000 as never,
    });
    await other.git.fetchBranch(REPO, "a");
    await other.git.fetchBranch(REPO, "b");
    const request = { repo: REPO, base: a, method: "merge", parts: [partOf(b)] } as const;
    expect(await other.git.buildCandidate(request)).toEqual(await build(a, b));
    await other.remove();
  });

  it("names the paths of a conflict, strange ones too", async () => {
    const odd = "src/ä new\nline.ts";
    const a = await change("a", { "src/a.ts": "one\n", [odd]: "one\n" });
    const b = await change("b", { "src/a.ts": "two\n", [odd]: "two\n", fine: "fine" });
    expect(await build(a, b)).toEqual({ kind: "conflict", at: 0, paths: ["src/a.ts", odd].sort() });
  });

  it("calls a file against a folder of that name a conflict", async () => {
    const [a, b] = [await change("a", { x: "file" }), await change("b", { "x/y": "folder" })];
    expect(await build(a, b)).toMatchObject({ kind: "conflict" });
  });

  it("leaves a new file where it was added although its neighbours moved", async () => {
    const files = { "old/a": "1\n", "old/b": "2\n", "old/c": "3\n" };
    base = await change("start", files);
    const gone = { "old/a": null, "old/b": null, "old/c": null };
    const moved = await change("moved", {
      ...gone,
      "new/a": "1\n",
      "new/b": "2\n",
      "new/c": "3\n",
    });
    const added = await change("added", { "old/d": "4\n" });
    const outcome = await build(moved, added);
    if (outcome.kind !== "built") throw new Error(JSON.stringify(outcome));
    expect(await sandbox.entries(outcome.candidate.commit)).toEqual(
      expect.arrayContaining(["100644 new/a", "100644 old/d"]),
    );
  });

  it("says missing, never conflict, for a commit that is not there", async () => {
    const unknown = sha("1".repeat(40));
    expect(await build(base, unknown)).toMatchObject({ kind: "missing" });
    expect(await build(unknown, base)).toMatchObject({ kind: "missing" });
  });

  it("says missing for a tree in place of a commit and for histories with nothing in common", async () => {
    expect(await build(base, await sandbox.git.treeOf(REPO, base))).toMatchObject({
      kind: "missing",
    });
    const person = `${sandbox.root}/person`;
    await sandbox.shell(person, "checkout", "--quiet", "--orphan", "alien");
    await sandbox.commit("alien", { alien: "x" }).catch(() => "");
    await sandbox.shell(person, "push", "--quiet", "origin", "HEAD:refs/heads/alien");
    const alien = await sandbox.git.fetchBranch(REPO, "alien");
    expect(await build(base, alien)).toMatchObject({ kind: "missing" });
  });

  it("builds the head's own tree when the base is its ancestor", async () => {
    const head = await change("a", { a: "a" });
    const outcome = await build(base, head);
    expect(outcome).toMatchObject({
      kind: "built",
      candidate: { tree: await sandbox.git.treeOf(REPO, head) },
    });
  });

  describe("of several changes", () => {
    it("stacks them in their order, each on top of the one before", async () => {
      const heads = [await change("a", { a: "a" }), await change("b", { b: "b" })];
      const parts = heads.map((head, at) => partOf(head, `e${at}`));
      const outcome = await sandbox.git.buildCandidate({
        repo: REPO,
        base,
        parts,
        method: "squash",
      });
      if (outcome.kind !== "built") throw new Error(outcome.kind);
      const [first, second] = outcome.candidate.steps;
      expect(await sandbox.git.parentsOf(REPO, first!.commit)).toEqual([base]);
      expect(await sandbox.git.parentsOf(REPO, second!.commit)).toEqual([first!.commit]);
      expect(second!.commit).toBe(outcome.candidate.commit);
      expect(await sandbox.entries(second!.commit)).toEqual(
        expect.arrayContaining(["100644 a", "100644 b"]),
      );
    });

    it("says which one does not fit on top of the others", async () => {
      const heads = [await change("a", { x: "a" }), await change("b", { x: "b" })];
      const parts = heads.map((head, at) => partOf(head, `e${at}`));
      const request = { repo: REPO, base, parts, method: "squash" } as const;
      expect(await sandbox.git.buildCandidate(request)).toEqual({
        kind: "conflict",
        at: 1,
        paths: ["x"],
      });
    });
  });

  it("replays the commits of a change one by one by rebase, with their authors", async () => {
    const later = await change("later", { later: "later" });
    await change("a", { a: "1" });
    await sandbox.commit("a", { a: "2" });
    const head = await sandbox.git.fetchBranch(REPO, "a");
    const outcome = await build(later, head, "rebase");
    if (outcome.kind !== "built") throw new Error(JSON.stringify(outcome));
    const tip = outcome.candidate.commit;
    const [middle] = await sandbox.git.parentsOf(REPO, tip);
    expect(await sandbox.git.parentsOf(REPO, middle!)).toEqual([later]);
    expect(await sandbox.entries(tip)).toEqual(
      expect.arrayContaining(["100644 a", "100644 later"]),
    );
    expect(await build(later, head, "rebase")).toEqual(outcome);
  });
});
