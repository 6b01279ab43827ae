import { describe, expect, it } from "vitest";
import { at, createTown } from "../town.ts";
import type { Reply, Town } from "../town.ts";

const ISSUES = "/repos/acme/app/issues";
const COMMENTS = `${ISSUES}/1/comments`;
const LABELS = `${ISSUES}/1/labels`;

const openIssue = async (town: Town) => town.call("POST", ISSUES, { title: "T" });
const say = async (town: Town) => town.call("POST", COMMENTS, { body: "words" });
const mutate = async (town: Town, query: string) => town.call("POST", "/graphql", { query });

function limited({ status, headers, body }: Reply) {
  return { status, retryAfter: headers.get("retry-after"), message: at(body, "message") };
}

function clock() {
  const time = { now: Date.now() };
  return { time, now: () => time.now };
}

describe("secondary limits", () => {
  it("are GitHub's when nothing is said, and are told with 403 and retry-after", async () => {
    const { time, now } = clock();
    const town = await createTown({ now });
    await openIssue(town);
    for (let count = 2; count <= 80; count += 1) expect((await say(town)).status).toBe(201);
    time.now += 20_000;
    const message =
      "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";
    expect(limited(await say(town))).toEqual({ status: 403, retryAfter: "40", message });
    expect((await town.call("POST", LABELS, { labels: ["bug"] })).status).toBe(200);
    expect((await town.call("GET", COMMENTS)).status).toBe(200);
    expect(town.github.calls()).toMatchObject({ contentWrites: 81, refused: 1 });
    time.now += 40_000;
    expect((await say(town)).status).toBe(201);
  });

  it("count the content of GraphQL with that of REST", async () => {
    const town = await createTown({ now: clock().now, limits: { contentPerMinute: 4 } });
    await openIssue(town);
    const subjectId = String(at((await town.call("GET", `${ISSUES}/1`)).body, "node_id"));
    const word = `addComment(input: { subjectId: "${subjectId}", body: "w" }) { clientMutationId }`;
    expect(
      (
        await mutate(
          town,
          `mutation { a: ${word} ...more } fragment more on Mutation { b: ${word} }`,
        )
      ).status,
    ).toBe(200);
    expect(limited(await mutate(town, `mutation { a: ${word} b: ${word} }`))).toMatchObject({
      status: 403,
      retryAfter: "60",
    });
    expect((await mutate(town, "{ viewer { login } }")).status).toBe(200);
    expect((await say(town)).status).toBe(201);
    expect((await say(town)).status).toBe(403);
    expect(town.github.calls()).toMatchObject({ contentWrites: 7, refused: 2, writes: 5 });
  });

  it("count points for each endpoint", async () => {
    const town = await createTown({
      limits: { restPointsPerMinute: 6, graphqlPointsPerMinute: 1 },
    });
    await openIssue(town);
    expect((await town.call("GET", ISSUES)).status).toBe(200);
    const message =
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    expect(limited(await town.call("GET", ISSUES))).toMatchObject({ status: 403, message });
    expect((await town.call("GET", `${ISSUES}/1`)).status).toBe(200);
    expect((await mutate(town, "{ viewer { login } }")).status).toBe(200);
    expect(limited(await mutate(town, "{ viewer { login } }"))).toMatchObject({
      status: 403,
      message,
    });
  });

  it("are each installation's own, whichever of its tokens is shown", async () => {
    const town = await createTown({ limits: { contentPerMinute: 1 } });
    await openIssue(town);
    const body = { title: "T" };
    const again = await town.ask("POST", ISSUES, { auth: await town.token(), body });
    expect(again.status).toBe(403);
    town.github.addOrganization("other");
    await town.github.addRepository({ owner: "other", name: "app" });
    const { id } = town.github.installApp({
      account: "other",
      permissions: { issues: "write" },
      events: [],
    });
    const minted = await town.ask("POST", `/app/installations/${id}/access_tokens`, {
      auth: town.jwt(),
    });
    const auth = String(at(minted.body, "token"));
    expect((await town.ask("POST", "/repos/other/app/issues", { auth, body })).status).toBe(201);
  });

  it("can be taken away", async () => {
    const town = await createTown({ limits: "none" });
    for (let count = 1; count <= 81; count += 1) expect((await openIssue(town)).status).toBe(201);
  });
});

describe("primary limits", () => {
  it("refuse with 403 and nothing remaining until the hour is over", async () => {
    const { time, now } = clock();
    const town = await createTown({ now, limits: { restPerHour: 2 } });
    town.github.faults.tokenLifetimeMs = 2 * 60 * 60 * 1000;
    expect((await town.call("GET", ISSUES)).headers.get("x-ratelimit-remaining")).toBe("1");
    const missing = await town.call("GET", `${ISSUES}/9`);
    expect([missing.status, missing.headers.get("x-ratelimit-remaining")]).toEqual([404, "0"]);
    const refused = await town.call("GET", ISSUES);
    expect(limited(refused)).toEqual({
      status: 403,
      retryAfter: null,
      message: `API rate limit exceeded for installation ID ${town.installation.id}.`,
    });
    const reset = Number(refused.headers.get("x-ratelimit-reset"));
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(town.github.calls().refused).toBe(1);
    expect((await mutate(town, "{ viewer { login } }")).status).toBe(200);
    time.now = reset * 1000;
    expect((await town.call("GET", ISSUES)).status).toBe(200);
  });

  it("do not count 304, new tokens and looks at the limits", async () => {
    const town = await createTown({ limits: { restPerHour: 2 } });
    const auth = await town.token();
    const first = await town.ask("GET", ISSUES, { auth });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    for (let time = 0; time < 3; time += 1) {
      const same = await town.ask("GET", ISSUES, { auth, headers });
      expect([same.status, same.headers.get("x-ratelimit-used")]).toEqual([304, "1"]);
      const limits = await town.ask("GET", "/rate_limit", { auth });
      expect(at(limits.body, "rate", "used")).toBe(1);
      await town.token();
    }
    expect((await town.ask("GET", ISSUES, { auth })).status).toBe(200);
  });

  it("of GraphQL answer 200 with RATE_LIMITED", async () => {
    const town = await createTown({ limits: { graphqlPointsPerHour: 1 } });
    await mutate(town, "{ viewer { login } }");
    expect(await mutate(town, "{ viewer { login } }")).toMatchObject({
      status: 200,
      body: { errors: [{ type: "RATE_LIMITED" }] },
    });
    expect(town.github.calls().refused).toBe(1);
  });
});

describe("latency", () => {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };

  it("is each way's own, and holds nobody else up", async () => {
    const town = await createTown({ latency: { graphql: 1000, git: 300 } });
    const auth = await town.token();
    const order: string[] = [];
    const slow = timed(async () => {
      await mutate(town, "{ viewer { login } }");
      order.push("graphql");
    });
    await town.ask("GET", ISSUES, { auth });
    order.push("rest");
    expect(await slow).toBeGreaterThanOrEqual(990);
    expect(order).toEqual(["rest", "graphql"]);
    const refs = "/acme/app.git/info/refs?service=git-upload-pack";
    expect(await timed(async () => town.ask("GET", refs, { auth }))).toBeGreaterThanOrEqual(290);
  });

  it("is what it was at the start when all faults are cleared", async () => {
    const town = await createTown({ latency: { rest: 1 } });
    town.github.faults.latency.rest = 5;
    town.github.faults.latency.git = 5;
    town.github.faults.clear();
    expect(town.github.faults.latency).toEqual({ rest: 1, graphql: 0, git: 0 });
  });
});
