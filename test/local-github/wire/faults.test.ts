import { describe, expect, it } from "vitest";
import { branchSha } from "../../../local-github/model/repository.ts";
import { at, createTown } from "../town.ts";
import type { Town } from "../town.ts";

async function openIssues(town: Town, count: number): Promise<readonly string[]> {
  await town.github.deliverySettled();
  town.heard.length = 0;
  for (let n = 0; n < count; n += 1) {
    town.github.as("alice").openIssue({ repo: town.app, title: `t${n}` });
  }
  await town.github.deliverySettled();
  return town.heard.map(({ payload }) => String(at(payload, "issue", "title")));
}

/** A first commit, so that the branch begins where the base is now. */
function none(name: string) {
  return { files: { [`${name}.first`]: "x\n" }, message: "first" };
}

describe("webhook faults", () => {
  it("lose as many as the odds say", async () => {
    const town = await createTown();
    town.github.faults.webhooks.lose = 1;
    expect(await openIssues(town, 4)).toEqual([]);
    town.github.faults.webhooks.lose = 0.5;
    town.github.faults.seed(7);
    const some = await openIssues(town, 20);
    expect(some.length).toBeGreaterThan(3);
    expect(some.length).toBeLessThan(17);
  });

  it("send copies with one guid", async () => {
    const town = await createTown();
    town.github.faults.webhooks.copies = 3;
    expect(await openIssues(town, 1)).toEqual(["t0", "t0", "t0"]);
    expect(new Set(town.heard.map(({ guid }) => guid)).size).toBe(1);
  });

  it("shuffle and delay without losing any", async () => {
    const town = await createTown();
    town.github.faults.seed(3);
    Object.assign(town.github.faults.webhooks, { shuffle: 6, delayMs: 5 });
    const order = await openIssues(town, 6);
    expect(order).not.toEqual(["t0", "t1", "t2", "t3", "t4", "t5"]);
    expect(order.toSorted()).toEqual(["t0", "t1", "t2", "t3", "t4", "t5"]);
  });
});

describe("answer faults", () => {
  it("fail before the effect, as many times as said", async () => {
    const town = await createTown();
    town.github.faults.answer({
      matches: ({ method, route }) => method === "POST" && route.endsWith("/issues"),
      status: 502,
      message: "Bad Gateway",
      times: 2,
    });
    const open = async () =>
      (await town.call("POST", "/repos/acme/app/issues", { title: "T" })).status;
    expect([await open(), await open(), await open()]).toEqual([502, 502, 201]);
    expect(town.github.world.threads.size).toBe(1);
  });

  it("fail after the effect, which has then happened", async () => {
    const town = await createTown();
    town.github.faults.answer({
      matches: ({ route }) => route.endsWith("/issues"),
      status: 500,
      message: "Server Error",
      when: "after",
    });
    const reply = await town.call("POST", "/repos/acme/app/issues", { title: "T" });
    expect(reply.status).toBe(500);
    expect(town.github.world.threads.size).toBe(1);
  });

  it("answer with the texts that GitHub uses for a merge that lost a race", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { w: "w\n" }, message: "w" });
    const pull = await alice.openPullRequest(town.app, { title: "W", head: "work" });
    const message = "Base branch was modified. Review and try the merge again.";
    town.github.faults.answer({
      matches: ({ route }) => route.endsWith("/merge"),
      status: 405,
      message,
    });
    const merge = async () => town.call("PUT", `/repos/acme/app/pulls/${pull.number}/merge`);
    const first = await merge();
    expect([first.status, at(first.body, "message")]).toEqual([405, message]);
    expect((await merge()).status).toBe(200);
  });

  it("limit with 403 and retry-after", async () => {
    const town = await createTown();
    await town.token();
    town.github.faults.secondaryLimit({ retryAfterSeconds: 7 });
    const auth = town.jwt();
    const limited = await town.ask("GET", "/app", { auth });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([403, "7"]);
    expect((await town.ask("GET", "/app", { auth })).status).toBe(200);
  });

  it("fail GraphQL requests too", async () => {
    const town = await createTown();
    const auth = await town.token();
    town.github.faults.answer({
      matches: ({ route }) => route === "/graphql",
      status: 502,
      message: "Bad Gateway",
    });
    const body = { query: "{ viewer { login } }" };
    expect((await town.ask("POST", "/graphql", { auth, body })).status).toBe(502);
    expect((await town.ask("POST", "/graphql", { auth, body })).status).toBe(200);
  });
});

describe("reads that are behind", () => {
  it("take back what landed last, as often as said", async () => {
    const town = await createTown();
    const [alice, bob] = [town.github.as("alice"), town.github.as("bob")];
    const filesAfter = async (name: string) => {
      await alice.push(town.app, name, { files: { [name]: "x\n" }, message: name });
      await bob.merge(await alice.openPullRequest(town.app, { title: name, head: name }), "squash");
      return (await town.git(town.app.dir, "ls-tree", "--name-only", "main")).split("\n");
    };
    await Promise.all(
      ["one", "two", "three"].map((name) => alice.push(town.app, name, none(name))),
    );
    expect(await filesAfter("one")).toContain("one");
    town.github.faults.takeBackLandings(town.github.world, 1);
    const second = await filesAfter("two");
    expect(second).toContain("two");
    expect(second).not.toContain("one");
    expect(await filesAfter("three")).toEqual(expect.arrayContaining(["two", "three"]));
  });

  it("do not know for a while whether a pull request merges", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { w: "w\n" }, message: "w" });
    await alice.openPullRequest(town.app, { title: "W", head: "work" });
    town.github.faults.unknownMergeableReads = 2;
    const read = async () =>
      at((await town.call("GET", "/repos/acme/app/pulls/1")).body, "mergeable");
    expect([await read(), await read(), await read()]).toEqual([null, null, true]);
  });

  it("answer what they answered before, for pull requests and refs", async () => {
    const town = await createTown();
    const read = async () =>
      at((await town.call("GET", "/repos/acme/app/git/ref/heads/main")).body, "object", "sha");
    const before = await read();
    town.github.faults.staleReads = 2;
    const files = { m: "m\n" };
    const after = await town.github.as("bob").push(town.app, "main", { files, message: "m" });
    expect([await read(), await read(), await read()]).toEqual([before, before, after]);
    expect(branchSha(town.app, "main")).toBe(after);
  });
});

describe("calls", () => {
  it("counts requests by kind and how many of them write", async () => {
    const town = await createTown();
    const auth = await town.token();
    const before = town.github.calls();
    await town.ask("GET", "/repos/acme/app", { auth });
    await town.ask("POST", "/repos/acme/app/issues", { auth, body: { title: "T" } });
    await town.ask("POST", "/graphql", { auth, body: { query: "{ viewer { login } }" } });
    const after = town.github.calls();
    expect({
      rest: after.rest - before.rest,
      graphql: after.graphql - before.graphql,
      writes: after.writes - before.writes,
    }).toEqual({ rest: 2, graphql: 1, writes: 1 });
  });

  it("shows what is left of the hourly budget, which looking does not use", async () => {
    const town = await createTown();
    const first = await town.call("GET", "/repos/acme/app");
    const used = Number(first.headers.get("x-ratelimit-used"));
    const limits = await town.call("GET", "/rate_limit");
    expect(at(limits.body, "resources", "core", "used")).toBe(used);
    expect(first.headers.get("x-ratelimit-limit")).toBe("5000");
  });
});
