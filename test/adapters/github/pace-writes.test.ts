import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import type { Octokit as Client } from "../../../src/adapters/github/connection.ts";
import { WritePace } from "../../../src/adapters/github/pace-writes.ts";
import { GITHUB_WRITES } from "../../../src/adapters/github/write-budget.ts";
import { TestClock } from "../../support/test-clock.ts";

/** A client that never leaves the process: it notes when each request would have gone. */
function pacedClient(limits = GITHUB_WRITES) {
  const clock = new TestClock();
  const sent: number[] = [];
  const fetch = async () => {
    sent.push(clock.now());
    return Promise.resolve(new Response("{}", { headers: { "content-type": "application/json" } }));
  };
  const client = new Octokit({ request: { fetch } });
  return { clock, sent, client: new WritePace(clock, limits).pace(client as unknown as Client) };
}

const ISSUE = { owner: "acme", repo: "shop", issue_number: 1 };

describe("paced writes", () => {
  it("go at least a second apart, reads at once", async () => {
    const { clock, sent, client } = pacedClient();
    const start = clock.now();
    const writes = [1, 2, 3].map(async () =>
      client.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...{ ...ISSUE, body: "x" },
      }),
    );
    await clock.advance(0);
    await client.request("GET /repos/{owner}/{repo}", { owner: "acme", repo: "shop" });
    expect(sent.map((at) => at - start)).toEqual([0, 0]);
    await clock.advance(5000);
    await Promise.all(writes);
    expect(sent.map((at) => at - start)).toEqual([0, 0, 1000, 2000]);
  });

  it("that would wait too long say until when they wait, and are not sent", async () => {
    const { clock, sent, client } = pacedClient({ spacingMs: 1000, perMinute: 2, perHour: 500 });
    const write = async () =>
      client.request("PATCH /repos/{owner}/{repo}/issues/{issue_number}", ISSUE);
    const both = [write(), write()];
    await clock.advance(1000);
    await Promise.all(both);
    await expect(write()).rejects.toThrow(/waits for the budget of writes until \d\d:\d\d UTC/);
    expect(sent).toHaveLength(2);
  });
});
