import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { ApiBudgets } from "../../../../src/adapters/github/connection/api-budgets.ts";
import type { Octokit as Client } from "../../../../src/adapters/github/connection/connection.ts";
import { NOW } from "../../../support/builders.ts";
import { TestClock } from "../../../support/test-clock.ts";

const HOUR_MS = 3_600_000;

interface Answered {
  readonly status: number;
  readonly left: number;
  readonly resource: string;
}

function watchedClient() {
  const clock = new TestClock();
  const budgets = new ApiBudgets(clock, "polite");
  let answered: Answered = { status: 200, left: 4999, resource: "core" };
  const fetch = () =>
    Promise.resolve(
      new Response("{}", {
        status: answered.status,
        headers: {
          "content-type": "application/json",
          "x-ratelimit-limit": "5000",
          "x-ratelimit-remaining": String(answered.left),
          "x-ratelimit-reset": "1800000000",
          date: "Fri, 15 Jan 2027 07:50:00 GMT",
          "x-ratelimit-resource": answered.resource,
        },
      }),
    );
  const client = new Octokit({ request: { fetch } }) as unknown as Client;
  return {
    clock,
    budgets,
    client: budgets.watch(7, budgets.watch(7, client)),
    answers: (next: Answered) => (answered = next),
  };
}

describe("the budget of GitHub's API", () => {
  it("is what the last answers said, an error's too, and our own count of content in an hour", async () => {
    const { clock, budgets, client, answers } = watchedClient();
    expect(budgets.all()).toMatchObject([{ rest: undefined, graphql: undefined }]);
    await client.request("GET /zen");
    answers({ status: 200, left: 4990, resource: "graphql" });
    await client.request("POST /graphql", { query: "query Q { viewer { login } }" });
    await client.request("POST /graphql", {
      query: "mutation M { updateProjectV2ItemFieldValue }",
    });
    answers({ status: 403, left: 0, resource: "core" });
    await expect(client.request("POST /repos/acme/shop/issues")).rejects.toThrow();
    expect(budgets.all()).toEqual([
      {
        installation: 7,
        rest: { limit: 5000, left: 0, resetsAt: 1_800_000_000_000 },
        graphql: { limit: 5000, left: 4990, resetsAt: 1_800_000_000_000 },
        writes: { limit: 500, left: 499 },
        heldBack: [],
        askedUntil: NOW + 600_000,
      },
    ]);
    await clock.advance(HOUR_MS);
    expect(budgets.all()).toMatchObject([{ writes: { left: 500 } }]);
  });
});
