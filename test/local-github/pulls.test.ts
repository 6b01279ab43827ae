import { describe, expect, it } from "vitest";
import { git } from "../../local-github/git/git.ts";
import type { PullRequest } from "../../local-github/model/pull-request.ts";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const PULLS = "/repos/acme/app/pulls";

async function pullRequest(town: Town, name: string, more: Record<string, string> = {}) {
  const alice = town.github.as("alice");
  const files = { [`${name}.ts`]: `${name}\n` };
  await alice.push(town.app, name, { files, message: `add ${name}` });
  return alice.openPullRequest(town.app, { title: `Add ${name}`, head: name, ...more });
}

const mergeOf = (pull: PullRequest) => `${PULLS}/${pull.number}/merge`;
const main = (town: Town) => branchSha(town.app, "main") ?? "";

describe("opening a pull request", () => {
  it("needs a head that exists, has commits and has no open pull request yet", async () => {
    const town = await createTown();
    const open = async (head: string, base = "main") =>
      town.call("POST", PULLS, { title: "T", head, base });
    expect((await open("missing")).status).toBe(422);
    await pullRequest(town, "work");
    const second = await open("work");
    expect(second.status).toBe(422);
    expect(at(second.body, "errors", 0, "message")).toBe(
      "A pull request already exists for acme:work.",
    );
    const refs = { ref: "refs/heads/empty", sha: main(town) };
    expect((await town.call("POST", "/repos/acme/app/git/refs", refs)).status).toBe(201);
    const empty = await open("empty");
    expect(at(empty.body, "errors", 0, "message")).toBe("No commits between main and empty");
    expect((await open("work", "nowhere")).status).toBe(422);
    expect((await open("stranger:work")).status).toBe(422);
  });

  it("is found by its head, lists its files and commits, and can be edited and closed", async () => {
    const town = await createTown();
    await pullRequest(town, "work");
    const found = await town.call("GET", `${PULLS}?head=acme:work&state=open`);
    expect(found.body).toMatchObject([{ number: 1, head: { ref: "work" } }]);
    expect((await town.call("GET", `${PULLS}?head=acme:none`)).body).toEqual([]);
    const files = await town.call("GET", `${PULLS}/1/files`);
    expect(files.body).toMatchObject([{ filename: "work.ts", status: "added", additions: 1 }]);
    const commits = await town.call("GET", `${PULLS}/1/commits`);
    expect(commits.body).toMatchObject([{ commit: { message: "add work" } }]);
    const edited = await town.call("PATCH", `${PULLS}/1`, { body: "words", state: "closed" });
    expect(edited.body).toMatchObject({ body: "words", state: "closed", merged: false });
    expect((await town.call("PATCH", `${PULLS}/1`, { state: "open" })).status).toBe(200);
  });
});

describe("merging", () => {
  it.each([
    ["merge", "Merge pull request #1 from acme/work", 2],
    ["squash", "add work (#1)", 1],
    ["rebase", "add work", 1],
  ] as const)("by %s makes the commit that GitHub makes", async (method, title, parents) => {
    const town = await createTown();
    const pull = await pullRequest(town, "work");
    await town.github.as("bob").push(town.app, "main", { files: { c: "c\n" }, message: "c" });
    const before = main(town);
    const body = { merge_method: method, sha: pull.headSha };
    const merged = await town.call("PUT", mergeOf(pull), body);
    expect(merged.body).toMatchObject({ merged: true, sha: main(town) });
    const log = await git(town.app.dir, ["log", "-1", "--format=%s|%P|%cn", "main"]);
    const [subject, parentList = "", committer] = log.split("|");
    expect(subject).toBe(title);
    expect(parentList.split(" ")).toHaveLength(parents);
    expect(parentList.split(" ")[0]).toBe(before);
    expect(committer).toBe("GitHub");
    const tree = await git(town.app.dir, ["ls-tree", "--name-only", "main"]);
    expect(tree.split("\n")).toEqual(["README.md", "c", "src", "work.ts"]);
    expect((await town.call("GET", `${PULLS}/1`)).body).toMatchObject({
      merged: true,
      state: "closed",
      merged_by: { login: "wavetrain[bot]" },
    });
    expect((await town.call("GET", mergeOf(pull))).status).toBe(204);
  });

  it("answers 409 when the head is not the expected one", async () => {
    const town = await createTown();
    const pull = await pullRequest(town, "work");
    const reply = await town.call("PUT", mergeOf(pull), { sha: main(town) });
    expect(reply.status).toBe(409);
    expect(at(reply.body, "message")).toBe(
      "Head branch was modified. Review and try the merge again.",
    );
    expect(pull.landing).toBeNull();
  });

  it("answers 405 for conflicts, drafts, closed ones and methods that are off", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    const pull = await pullRequest(town, "work");
    await alice.push(town.app, "main", { files: { "work.ts": "else\n" }, message: "clash" });
    expect((await town.call("GET", `${PULLS}/1`)).body).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
    });
    const conflict = await town.call("PUT", mergeOf(pull));
    expect([conflict.status, at(conflict.body, "message")]).toEqual([
      405,
      "Pull Request is not mergeable",
    ]);
    await alice.push(town.app, "two", { files: { two: "2\n" }, message: "two" });
    const draft = await alice.openPullRequest(town.app, { title: "2", head: "two", draft: true });
    const refused = await town.call("PUT", mergeOf(draft));
    expect([refused.status, at(refused.body, "message")]).toEqual([
      405,
      "Pull Request is still a draft",
    ]);
    town.app.mergeMethods.delete("squash");
    const other = await pullRequest(town, "three");
    const method = await town.call("PUT", mergeOf(other), { merge_method: "squash" });
    expect(at(method.body, "message")).toBe("Squash merges are not allowed on this repository.");
    alice.closePullRequest(other);
    expect((await town.call("PUT", mergeOf(other))).status).toBe(405);
  });

  it("closes the issues named in the body, on the default branch only", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    const [one, two] = [1, 2].map((n) => alice.openIssue({ repo: town.app, title: String(n) }));
    const landed = await pullRequest(town, "work", { body: "Closes #1, see #2" });
    await town.call("PUT", mergeOf(landed));
    expect([one?.state, two?.state]).toEqual(["closed", "open"]);
    await alice.push(town.app, "release", { files: { r: "r\n" }, message: "r" });
    const aside = await pullRequest(town, "fix", { body: "fixes #2", base: "release" });
    await town.call("PUT", mergeOf(aside));
    expect(aside.landing).not.toBeNull();
    expect(two?.state).toBe("open");
    await alice.push(town.app, "main", { files: { m: "m\n" }, message: "m\n\nResolves: #2" });
    expect(two?.state).toBe("closed");
  });

  it("deletes the head branch when the repository says so", async () => {
    const town = await createTown();
    town.app.deletesBranchOnMerge = true;
    const pull = await pullRequest(town, "work");
    await town.call("PUT", mergeOf(pull), { merge_method: "squash" });
    expect(branchSha(town.app, "work")).toBeUndefined();
  });
});

describe("update-branch", () => {
  it("merges the base into the head and refuses a head that is not the expected one", async () => {
    const town = await createTown();
    const pull = await pullRequest(town, "work");
    const path = `${PULLS}/1/update-branch`;
    expect((await town.call("PUT", path)).status).toBe(422);
    await town.github.as("bob").push(town.app, "main", { files: { c: "c\n" }, message: "c" });
    const before = pull.headSha;
    expect((await town.call("PUT", path, { expected_head_sha: main(town) })).status).toBe(422);
    expect((await town.call("PUT", path, { expected_head_sha: before })).status).toBe(202);
    const parents = await git(town.app.dir, ["log", "-1", "--format=%P", "work"]);
    expect(parents).toBe(`${before} ${main(town)}`);
    expect(pull.headSha).not.toBe(before);
  });
});

describe("reviews", () => {
  it("are given, listed and dismissed, but not by the author to itself", async () => {
    const town = await createTown();
    const pull = await pullRequest(town, "work");
    const path = `${PULLS}/1/reviews`;
    expect(() => town.github.as("alice").approve(pull)).toThrow("approve your own");
    const review = await town.call("POST", path, { event: "APPROVE" });
    expect(review.body).toMatchObject({ state: "APPROVED", commit_id: pull.headSha });
    expect((await town.call("POST", path, { event: "REQUEST_CHANGES" })).status).toBe(422);
    const dismissal = `${path}/${String(at(review.body, "id"))}/dismissals`;
    expect((await town.call("PUT", dismissal, { message: "old" })).body).toMatchObject({
      state: "DISMISSED",
    });
    expect((await town.call("GET", path)).body).toMatchObject([{ state: "DISMISSED" }]);
  });
});
