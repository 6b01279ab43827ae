import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitCounter } from "../../../../bench/git-counter.ts";
import { instant, sha, type Sha } from "../../../../src/domain/ids.ts";
import { AUTHOR, createGitSandbox, REPO, writeFiles, type GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
beforeEach(async () => {
  sandbox = await createGitSandbox();
});
afterEach(() => sandbox.remove());

async function commitOf(id: string): Promise<Sha> {
  const workspace = await sandbox.open(id);
  await writeFiles(workspace.path, { [`src/${id}.ts`]: id });
  return sandbox.git.commitWorkspace(workspace, { message: id, author: AUTHOR });
}

describe("close", () => {
  it("waits for what is under way, so that nothing is written afterwards", async () => {
    await sandbox.commit("one", { one: "1" });
    const ended: string[] = [];
    const fetches = ["main", "one"].map((branch) =>
      sandbox.git.fetchBranch(REPO, branch).then(() => ended.push(branch)),
    );
    await sandbox.git.close();
    expect(ended).toEqual(["main", "one"]);
    await Promise.all(fetches);
  });
});

describe("fetchBranches", () => {
  it("brings the tips of all of them, and what they lead to", async () => {
    const [one, two] = [
      await sandbox.commit("one", { one: "1" }),
      await sandbox.commit("two", { two: "2" }),
    ];
    const tips = await sandbox.git.fetchBranches(REPO, ["one", "two"]);
    expect([...tips]).toEqual([
      ["one", one],
      ["two", two],
    ]);
    expect(await sandbox.git.isAncestor(REPO, one, two)).toBe(true);
  });

  it("asks the remote once", async () => {
    await sandbox.commit("one", { one: "1" });
    const counter = await createGitCounter(sandbox.root);
    const counted = await createGitSandbox({
      dataDir: sandbox.dataDir,
      remoteUrl: () => `file://${sandbox.remote}`,
      env: { PATH: counter.path },
    });
    try {
      await counted.git.fetchBranch(REPO, "main");
      await counter.take();
      await counted.git.fetchBranches(REPO, ["main", "one"]);
      expect((await counter.take()).commands).toBe(1);
    } finally {
      await counted.remove();
    }
  });

  it("fails as a whole when one of them is not there", async () => {
    await expect(sandbox.git.fetchBranches(REPO, ["main", "gone"])).rejects.toThrow();
  });
});

describe("fetchBranch", () => {
  it("follows the branch, also when its history was rewritten", async () => {
    const first = await sandbox.git.fetchBranch(REPO, "main");
    const second = await sandbox.commit("main", { "src/b.ts": "b\n" });
    expect(await sandbox.git.fetchBranch(REPO, "main")).toBe(second);
    await sandbox.shell(sandbox.remote, "update-ref", "refs/heads/main", first);
    expect(await sandbox.git.fetchBranch(REPO, "main")).toBe(first);
  });

  it("fetches no other branch and no tag", async () => {
    await sandbox.commit("other", { other: "o" });
    await sandbox.shell(sandbox.remote, "tag", "v1", "main");
    await sandbox.git.fetchBranch(REPO, "main");
    const mirror = `${sandbox.dataDir}/mirrors/octo/shop.git`;
    expect(await sandbox.shell(mirror, "for-each-ref", "--format=%(refname)")).toBe(
      "refs/wavetrain/remote/main\n",
    );
  });

  it("follows when a branch makes way for one below its name", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    await sandbox.shell(sandbox.remote, "update-ref", "refs/heads/topic", tip);
    await sandbox.git.fetchBranch(REPO, "topic");
    await sandbox.shell(sandbox.remote, "update-ref", "-d", "refs/heads/topic");
    await sandbox.shell(sandbox.remote, "update-ref", "refs/heads/topic/a", tip);
    expect(await sandbox.git.fetchBranch(REPO, "topic/a")).toBe(tip);
  });

  it("asks the remote once for all who come before the question was put", async () => {
    let asked = 0;
    const remoteUrl = () => {
      asked += 1;
      return `file://${counted.remote}`;
    };
    const counted = await createGitSandbox({ remoteUrl });
    try {
      const ask = () => counted.git.fetchBranch(REPO, "main");
      const tip = await ask();
      const once = asked;
      asked = 0;
      expect(await Promise.all([ask(), ask(), ask()])).toEqual([tip, tip, tip]);
      expect(asked).toBe(once);
    } finally {
      await counted.remove();
    }
  });

  it("asks again only those who want a later tip than the one that is known", async () => {
    let now = 1000;
    const timed = await createGitSandbox({ now: () => instant(now) });
    try {
      const first = await timed.git.fetchBranch(REPO, "main");
      const second = await timed.commit("main", { "src/b.ts": "b\n" });
      now = 2000;
      expect(await timed.git.fetchBranch(REPO, "main", instant(1000))).toBe(first);
      expect(await timed.git.fetchBranch(REPO, "main", instant(1001))).toBe(second);
      expect(await timed.git.fetchBranch(REPO, "main", instant(1001))).toBe(second);
    } finally {
      await timed.remove();
    }
  });

  it("asks again after a question that failed", async () => {
    await expect(sandbox.git.fetchBranch(REPO, "late", instant(0))).rejects.toThrow();
    const tip = await sandbox.commit("late", { late: "l" });
    expect(await sandbox.git.fetchBranch(REPO, "late", instant(0))).toBe(tip);
  });

  it("finds the tip also where the mirror's refs are packed", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    await sandbox.shell(`${sandbox.dataDir}/mirrors/octo/shop.git`, "pack-refs", "--all");
    expect(await sandbox.git.fetchBranch(REPO, "main")).toBe(tip);
  });

  it("fails for a branch that does not exist", async () => {
    await expect(sandbox.git.fetchBranch(REPO, "nope")).rejects.toMatchObject({
      code: "git-failed",
    });
  });
});

describe("pushBranch", () => {
  it("makes a branch that must not exist yet", async () => {
    const commit = await commitOf("one");
    const push = { repo: REPO, branch: "wavetrain/1", commit, expected: undefined };
    expect(await sandbox.git.pushBranch(push)).toEqual({ kind: "pushed" });
    expect(await sandbox.git.remoteBranch(REPO, "wavetrain/1")).toBe(commit);
  });

  it("replaces whatever is there where anything may be there", async () => {
    const push = { repo: REPO, branch: "wavetrain/1", expected: "any" } as const;
    const [one, two] = [await commitOf("one"), await commitOf("two")];
    for (const commit of [one, two, two])
      expect(await sandbox.git.pushBranch({ ...push, commit })).toEqual({ kind: "pushed" });
    expect(await sandbox.git.remoteBranch(REPO, "wavetrain/1")).toBe(two);
  });

  it("says pushed when the branch is there already with this commit", async () => {
    const commit = await commitOf("one");
    const push = { repo: REPO, branch: "wavetrain/1", commit, expected: undefined };
    await sandbox.git.pushBranch(push);
    expect(await sandbox.git.pushBranch(push)).toEqual({ kind: "pushed" });
  });

  it("replaces what was pushed before, and nothing that someone else pushed", async () => {
    const [one, two, three] = [
      await commitOf("one"),
      await commitOf("two"),
      await commitOf("three"),
    ];
    const push = { repo: REPO, branch: "wavetrain/1" };
    await sandbox.git.pushBranch({ ...push, commit: one, expected: undefined });
    const again = await sandbox.git.pushBranch({ ...push, commit: two, expected: one });
    expect(again).toEqual({ kind: "pushed" });
    const stale = await sandbox.git.pushBranch({ ...push, commit: three, expected: one });
    expect(stale.kind).toBe("rejected");
    const created = await sandbox.git.pushBranch({ ...push, commit: three, expected: undefined });
    expect(created.kind).toBe("rejected");
    expect(await sandbox.git.remoteBranch(REPO, "wavetrain/1")).toBe(two);
  });

  it("reports a push that the remote refuses", async () => {
    await sandbox.shell(sandbox.remote, "config", "receive.denyNonFastForwards", "true");
    const [one, two] = [await commitOf("one"), await commitOf("two")];
    const push = { repo: REPO, branch: "wavetrain/1" };
    await sandbox.git.pushBranch({ ...push, commit: one, expected: undefined });
    const refused = await sandbox.git.pushBranch({ ...push, commit: two, expected: one });
    expect(refused.kind).toBe("rejected");
  });

  it("fails when the remote cannot be reached, instead of calling that a refusal", async () => {
    const commit = await commitOf("one");
    await sandbox.shell(sandbox.root, "init", "--quiet", "--bare", "gone.git");
    const lost = await createGitSandbox({
      dataDir: sandbox.dataDir,
      remoteUrl: () => "file:///nope",
    });
    const push = lost.git.pushBranch({ repo: REPO, branch: "b", commit, expected: undefined });
    await expect(push).rejects.toMatchObject({ code: "git-failed" });
    await lost.remove();
  });
});

describe("deleteBranch", () => {
  it("deletes a branch, and one that is gone already is fine", async () => {
    const commit = await commitOf("one");
    await sandbox.git.pushBranch({ repo: REPO, branch: "b", commit, expected: undefined });
    await sandbox.git.deleteBranch(REPO, "b");
    await sandbox.git.deleteBranch(REPO, "b");
    expect(await sandbox.git.remoteBranch(REPO, "b")).toBeUndefined();
  });
});

describe("pullHeads", () => {
  it("tells where GitHub has seen the heads, and nothing of what is not there", async () => {
    const head = await sandbox.commit("work", { "src/w.ts": "w\n" });
    await sandbox.shell(sandbox.remote, "update-ref", "refs/pull/7/head", head);
    expect(await sandbox.git.pullHeads(REPO, [7, 8])).toEqual(new Map([[7, head]]));
  });
});

describe("remoteBranch", () => {
  it("is not misled by a branch whose name ends alike", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    const name = "refs/heads/refs/heads/ghost";
    await sandbox.shell(sandbox.remote, "update-ref", name, tip);
    expect(await sandbox.git.remoteBranch(REPO, "ghost")).toBeUndefined();
  });
});

describe("history", () => {
  it("tells ancestors from others", async () => {
    const first = await sandbox.git.fetchBranch(REPO, "main");
    const second = await sandbox.commit("main", { "src/b.ts": "b\n" });
    await sandbox.git.fetchBranch(REPO, "main");
    expect(await sandbox.git.isAncestor(REPO, first, second)).toBe(true);
    expect(await sandbox.git.isAncestor(REPO, second, first)).toBe(false);
    expect(await sandbox.git.parentsOf(REPO, second)).toEqual([first]);
    expect(await sandbox.git.parentsOf(REPO, first)).toEqual([]);
  });

  it("fails for a commit that it does not have", async () => {
    const tip = await sandbox.git.fetchBranch(REPO, "main");
    const unknown = sha("1".repeat(40));
    const failed = { code: "git-failed" };
    expect(await sandbox.git.isAncestor(REPO, unknown, tip)).toBe(false);
    await expect(sandbox.git.isAncestor(REPO, tip, unknown)).rejects.toMatchObject(failed);
    await expect(sandbox.git.treeOf(REPO, unknown)).rejects.toMatchObject(failed);
    await expect(sandbox.git.parentsOf(REPO, unknown)).rejects.toMatchObject(failed);
  });
});
