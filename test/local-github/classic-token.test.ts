import { describe, expect, it } from "vitest";
import { createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";

function tokenOf({ github }: Town, login: string): string {
  return github.addClassicToken(login, ["repo"]).token;
}

describe("a classic token", () => {
  it("says whose it is, which no App's token does", async () => {
    const town = await createTown();
    const own = await town.ask("GET", "/user", { auth: tokenOf(town, "rita") });
    expect(own).toMatchObject({ status: 200, body: { login: "rita", type: "User" } });
    expect((await town.call("GET", "/user")).status).toBe(403);
  });

  it("may do what its owner may, and acts as its owner", async () => {
    const town = await createTown();
    const [bob, rita] = [tokenOf(town, "bob"), tokenOf(town, "rita")];
    const status = async (auth: string, request: string, body?: object): Promise<number> => {
      const [method = "", path = ""] = request.split(" ");
      return (await town.ask(method, `${REPO}${path}`, { auth, body })).status;
    };
    const opened = await town.ask("POST", `${REPO}/issues`, { auth: bob, body: { title: "T" } });
    expect(opened).toMatchObject({ status: 201, body: { user: { login: "bob" } } });
    expect(await status(rita, "GET /issues/1")).toBe(200);
    expect(await status(rita, "PATCH /issues/1", { state: "closed" })).toBe(403);
    expect(await status(bob, "PATCH /issues/1", { state: "closed" })).toBe(200);
    const run = { name: "verify", head_sha: "0".repeat(40) };
    expect(await status(bob, "POST /check-runs", run)).toBe(403);
    const folder = await town.scratch();
    await town.git(folder, "clone", "-q", town.remote(bob), "copy");
    const copy = `${folder}/copy`;
    await town.git(copy, "commit", "-q", "--allow-empty", "-m", "By bob");
    await town.git(copy, "push", "-q", "origin", "HEAD:refs/heads/bobs");
    expect(town.app.refs.has("refs/heads/bobs")).toBe(true);
    await expect(
      town.git(copy, "push", "-q", town.remote(rita), "HEAD:refs/heads/ritas"),
    ).rejects.toThrow("403");
  });
});

describe("pull requests and commits", () => {
  it("are a diff, or mails, where the media type asks for it", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { "src/b.ts": "b\n" }, message: "Add b" });
    const pull = await alice.openPullRequest(town.app, { title: "B", head: "work" });
    const auth = await town.token();
    for (const path of [`/pulls/${pull.number}`, `/commits/${pull.headSha}`]) {
      const ask = async (type: string) =>
        town.ask("GET", `${REPO}${path}`, { auth, headers: { accept: type } });
      const diff = await ask("application/vnd.github.v3.diff");
      expect(diff.headers.get("content-type")).toContain("application/vnd.github.diff");
      expect(diff.body).toMatch(/^diff --git a\/src\/b\.ts b\/src\/b\.ts\n[^]*\n\+b\n$/);
      const mails = await ask("application/vnd.github.patch");
      expect(mails.body).toMatch(/^From [0-9a-f]{40} [^]*\nSubject: \[PATCH\] Add b\n/);
    }
  });
});
