import { describe, expect, it } from "vitest";
import { graphqlCost, restCost } from "../../../local-github/limits/cost.ts";
import { Gate } from "../../../local-github/limits/gate.ts";
import type { Asked } from "../../../local-github/limits/gate.ts";
import { LimitPassed } from "../../../local-github/limits/limit-passed.ts";
import { Budget, GITHUB_LIMITS } from "../../../local-github/model/budget.ts";

const MINUTE = 60_000;
const REPO = "/repos/{owner}/{repo}";

const comment = rest("POST", `${REPO}/issues/{issue_number}/comments`);
const label = rest("POST", `${REPO}/issues/{issue_number}/labels`);
const read = rest("GET", `${REPO}/issues`);

function rest(method: string, endpoint: string, payer = "me"): Asked {
  return { payer, endpoint, cost: restCost(method, endpoint) };
}

function graphql(...mutations: readonly string[]): Asked {
  return { payer: "me", endpoint: "/graphql", cost: graphqlCost(mutations) };
}

function open() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const gate = new Gate({ now, limits: GITHUB_LIMITS, budget: new Budget(now, GITHUB_LIMITS) });
  /** The seconds to wait, or the hour's reset; nothing when it is let through. */
  const ask = async (asked: Asked, work = async () => Promise.resolve()) => {
    try {
      await gate.pass(asked, work);
      return undefined;
    } catch (error) {
      if (!(error instanceof LimitPassed)) throw error;
      return error.headers["retry-after"] ?? error.headers["x-ratelimit-reset"];
    }
  };
  /** How many are let through before the first is refused. */
  const fill = async (asked: Asked): Promise<number> => {
    for (let count = 0; ; count += 1) if ((await ask(asked)) !== undefined) return count;
  };
  return { clock, ask, fill };
}

describe("Gate", () => {
  it("lets 80 creations of content through in any minute, and others besides", async () => {
    const { clock, ask, fill } = open();
    await ask(comment);
    clock.now += MINUTE / 2;
    expect(await fill(comment)).toBe(79);
    expect(await ask(comment)).toBe("30");
    expect(await ask(label)).toBeUndefined();
    expect(await ask(read)).toBeUndefined();
    expect(await ask({ ...comment, payer: "another" })).toBeUndefined();
    clock.now += MINUTE / 2;
    expect(await fill(comment)).toBe(1);
    expect(await ask(comment)).toBe("30");
  });

  it("lets 500 through in any hour", async () => {
    const { clock, ask, fill } = open();
    let passed = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      passed += await fill(comment);
      clock.now += MINUTE;
    }
    expect(passed).toBe(500);
    expect(await ask(comment)).toBe(String(50 * 60));
    clock.now += 50 * MINUTE;
    expect(await ask(comment)).toBeUndefined();
  });

  it("counts content by either API, and each mutation of a document", async () => {
    const { ask, fill } = open();
    const many = graphql(...Array.from({ length: 79 }, () => "addComment"));
    expect(await ask(many)).toBeUndefined();
    expect(await ask(graphql("addComment", "createIssue"))).toBe("60");
    expect(await ask(graphql("updateProjectV2ItemFieldValue", "updateRefs"))).toBeUndefined();
    expect(await fill(comment)).toBe(1);
  });

  it("lets 900 points through for one endpoint in a minute: a read is 1, a write 5", async () => {
    const { clock, ask, fill } = open();
    for (let time = 0; time < 100; time += 1) await ask(label);
    expect(await fill({ ...label, cost: restCost("GET", label.endpoint) })).toBe(400);
    expect(await ask(label)).toBe("60");
    expect(await ask(read)).toBeUndefined();
    clock.now += MINUTE;
    expect(await fill(label)).toBe(180);
  });

  it("lets 2,000 points of GraphQL through in a minute: a query is 1, a mutation 5", async () => {
    const { ask, fill } = open();
    for (let time = 0; time < 200; time += 1) await ask(graphql("updateRefs"));
    expect(await fill(graphql())).toBe(1000);
  });

  it("lets 100 be under way at once, by either API", async () => {
    const { ask } = open();
    let finish = () => {};
    const promise = new Promise<void>((resolve) => (finish = resolve));
    const underWay = Array.from({ length: 100 }, async (_, at) =>
      ask(at % 2 === 0 ? read : graphql(), async () => promise),
    );
    expect(await ask(read)).toBe("60");
    finish();
    await Promise.all(underWay);
    expect(await ask(read)).toBeUndefined();
  });

  it("lets 5,000 calls of REST through in an hour, tokens and looks at the limits besides", async () => {
    const { clock, ask } = open();
    const reset = String((clock.now + 60 * MINUTE) / 1000);
    for (let count = 0; count < 5000; count += 1) {
      expect(await ask(read)).toBeUndefined();
      clock.now += 100;
    }
    expect(await ask(read)).toBe(reset);
    expect(await ask(graphql())).toBeUndefined();
    expect(await ask(rest("GET", "/rate_limit"))).toBeUndefined();
    const tokens = "/app/installations/{installation_id}/access_tokens";
    expect(await ask(rest("POST", tokens))).toBeUndefined();
    clock.now += 60 * MINUTE;
    expect(await ask(read)).toBeUndefined();
  });

  it("does not count what it refuses", async () => {
    const { clock, ask, fill } = open();
    await fill(comment);
    for (let time = 0; time < 50; time += 1) await ask(comment);
    clock.now += MINUTE;
    expect(await fill(comment)).toBe(80);
  });
});
