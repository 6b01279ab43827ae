import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

async function clone(town: Town, token: string): Promise<string> {
  const dir = await town.scratch();
  await town.git(dir, "clone", "-q", town.remote(token), "work");
  return join(dir, "work");
}

async function commit(town: Town, dir: string, name: string): Promise<string> {
  await writeFile(join(dir, name), `${name}\n`);
  await town.git(dir, "add", ".");
  await town.git(dir, "commit", "-q", "-m", `add ${name}`);
  return town.git(dir, "rev-parse", "HEAD");
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "it worked",
    (error: unknown) => String(error),
  );
}

describe("git over HTTP", () => {
  it("clones, fetches and pushes with a token that has contents, and refuses the others", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token({ permissions: { contents: "write" } }));
    await town.git(dir, "checkout", "-q", "-b", "work");
    const sha = await commit(town, dir, "b.ts");
    await town.git(dir, "push", "-q", "origin", "work");
    expect(branchSha(town.app, "work")).toBe(sha);
    const reader = town.remote(await town.token({ permissions: { contents: "read" } }));
    await town.git(dir, "fetch", "-q", reader, "work");
    expect(await failure(town.git(dir, "push", reader, "work:other"))).toContain("403");
    const blind = town.remote(await town.token({ permissions: { issues: "read" } }));
    expect(await failure(town.git(dir, "ls-remote", blind))).toContain("403");
    expect(await failure(town.git(dir, "ls-remote", town.remote("ghs_wrong")))).toContain(
      "Authentication failed",
    );
    const anonymous = `${town.github.url}/acme/app.git`;
    expect(await failure(town.git(dir, "ls-remote", anonymous))).toContain(
      "could not read Username",
    );
  });

  it("takes the token in a header, so that it is in no configuration", async () => {
    const town = await createTown();
    const token = await town.token();
    const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
    const url = `${town.github.url}/acme/app.git`;
    const header = `http.extraHeader=Authorization: Basic ${basic}`;
    const { stdout } = await execa("git", ["-c", header, "ls-remote", url, "refs/heads/main"]);
    expect(stdout).toContain(branchSha(town.app, "main"));
  });

  it("moves pull requests with a push, also under refs/pull, and tells of both", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token());
    await town.git(dir, "checkout", "-q", "-b", "work");
    const first = await commit(town, dir, "b.ts");
    await town.git(dir, "push", "-q", "origin", "work");
    const pull = await town.github
      .as("alice")
      .openPullRequest(town.app, { title: "W", head: "work" });
    const second = await commit(town, dir, "c.ts");
    await town.git(dir, "push", "-q", "origin", "work");
    expect(pull.headSha).toBe(second);
    expect(await town.git(dir, "ls-remote", "origin", "refs/pull/1/head")).toContain(second);
    await town.github.deliverySettled();
    const told = town.heard.find(({ payload }) => payload["action"] === "synchronize");
    expect(told?.payload).toMatchObject({
      before: first,
      after: second,
      sender: { login: "wavetrain[bot]" },
    });
    expect(town.heard.filter(({ event }) => event === "push").at(-1)?.payload).toMatchObject({
      ref: "refs/heads/work",
      before: first,
      after: second,
      commits: [{ message: "add c.ts", added: ["c.ts"] }],
      forced: false,
    });
  });

  it("marks a pull request merged when a push puts its head on the base", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    const issue = alice.openIssue({ repo: town.app, title: "T" });
    await alice.push(town.app, "work", { files: { b: "b\n" }, message: "b" });
    const pull = await alice.openPullRequest(town.app, {
      title: "W",
      head: "work",
      body: `Closes #${issue.number}`,
    });
    const dir = await clone(town, await town.token());
    await town.git(dir, "push", "-q", "origin", "origin/work:main");
    expect(pull.landing).toMatchObject({ sha: pull.headSha });
    expect(pull.state).toBe("closed");
    expect(issue.state).toBe("closed");
  });

  it("closes a pull request when its branch is deleted", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { b: "b\n" }, message: "b" });
    const pull = await alice.openPullRequest(town.app, { title: "W", head: "work" });
    const dir = await clone(town, await town.token());
    await town.git(dir, "push", "-q", "origin", ":work");
    expect([pull.state, pull.landing]).toEqual(["closed", null]);
  });

  it("takes pull requests along when their base is renamed, and the default branch stays the default", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { b: "b\n" }, message: "b" });
    const pull = await alice.openPullRequest(town.app, { title: "W", head: "work" });
    await alice.renameBranch(town.app, "main", "trunk");
    await town.github.deliverySettled();
    expect([pull.state, pull.baseRef, town.app.defaultBranch]).toEqual(["open", "trunk", "trunk"]);
    const edited = town.heard.find(({ payload }) => payload["action"] === "edited");
    expect(at(edited?.payload, "changes", "base", "ref", "from")).toBe("main");
    const dir = await clone(town, await town.token());
    expect(await town.git(dir, "symbolic-ref", "--short", "HEAD")).toBe("trunk");
    expect(await failure(town.git(dir, "fetch", "origin", "main"))).toContain("remote ref");
  });

  it("keeps a stale lease from overwriting what someone else pushed", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { b: "b\n" }, message: "b" });
    const dir = await clone(town, await town.token());
    await town.git(dir, "checkout", "-q", "work");
    await commit(town, dir, "mine");
    await alice.push(town.app, "work", { files: { c: "c\n" }, message: "c" });
    const theirs = branchSha(town.app, "work");
    const push = town.git(dir, "push", "--force-with-lease", "origin", "work");
    expect(await failure(push)).toContain("stale info");
    expect(branchSha(town.app, "work")).toBe(theirs);
  });

  it("tells nothing of refs outside branches and tags", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token());
    const sha = await commit(town, dir, "b.ts");
    await town.git(dir, "push", "-q", "origin", "HEAD:refs/wavetrain/try");
    expect(town.app.refs.get("refs/wavetrain/try")).toBe(sha);
    await town.github.deliverySettled();
    expect(town.names()).not.toContain("push");
    expect(await failure(town.git(dir, "push", "origin", "HEAD:refs/pull/1/head"))).toContain(
      "hidden ref",
    );
  });

  it("refuses workflow files from a token without the workflows permission", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token());
    await mkdir(join(dir, ".github/workflows"), { recursive: true });
    let sha = await commit(town, dir, ".github/workflows/ci.yml");
    // Such a commit's id once passed for the guard's own mark.
    for (let tries = 1; !sha.startsWith("1"); tries += 1) {
      await town.git(dir, "commit", "-q", "--amend", "-m", `try ${tries}`);
      sha = await town.git(dir, "rev-parse", "HEAD");
    }
    const push = async () => failure(town.git(dir, "push", "origin", "HEAD:refs/heads/ci"));
    expect(await push()).toContain(
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
    );
    expect(branchSha(town.app, "ci")).toBeUndefined();
    town.github.as("alice").acceptPermissions(town.installation, { workflows: "write" });
    expect(await push()).toContain("without `workflows` permission");
    await town.git(dir, "remote", "set-url", "origin", town.remote(await town.token()));
    expect(await push()).toBe("it worked");
  });

  it("refuses a branch that is only behind the default branch in its workflow files", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token());
    await commit(town, dir, "b.ts");
    const files = { ".github/workflows/ci.yml": "on: push\n" };
    await town.github.as("alice").push(town.app, "main", { files, message: "CI" });
    const push = async (ref: string) => failure(town.git(dir, "push", "origin", `HEAD:${ref}`));
    for (const ref of ["refs/heads/work", "refs/ours/work"]) {
      expect(await push(ref)).toContain("without `workflows` permission");
    }
    await town.git(dir, "pull", "-q", "--rebase", "origin", "main");
    expect(await push("refs/heads/work")).toBe("it worked");
    expect(await push("refs/ours/work")).toBe("it worked");
  });

  it("loses a push, or only the answer to one, when told to", async () => {
    const town = await createTown();
    const dir = await clone(town, await town.token());
    const sha = await commit(town, dir, "b.ts");
    const isPush = ({ route }: { route: string }) => route.endsWith(".git/git-receive-pack");
    const fault = { matches: isPush, status: 500, message: "Server Error" };
    const push = async () => failure(town.git(dir, "push", "origin", "HEAD:refs/heads/work"));
    town.github.faults.answer(fault);
    expect(await push()).toContain("500");
    expect(branchSha(town.app, "work")).toBeUndefined();
    town.github.faults.answer({ ...fault, when: "after" });
    expect(await push()).toContain("500");
    expect(branchSha(town.app, "work")).toBe(sha);
  });
});
