import { describe, expect, it } from "vitest";
import { ApiBudgets } from "../../../../src/adapters/github/connection/api-budgets.ts";
import { repoName } from "../../../../src/domain/ids.ts";
import type { AppError } from "../../../../src/shared/app-error.ts";
import { REPO } from "../../../support/builders.ts";
import { TestClock } from "../../../support/test-clock.ts";

const MINUTE_MS = 60_000;

/** Takes as many turns as there are, and says how many those were and when there is another. */
function takeAll(budgets: ApiBudgets, repo = REPO) {
  for (let taken = 0; taken < 1_000; taken += 1) {
    try {
      budgets.takePush(repo);
    } catch (error) {
      const { code, retryAfterMs } = error as AppError;
      return { taken, code, retryAfterMs };
    }
  }
  return { taken: Infinity };
}

describe("pushes to a repository", () => {
  it("may come in a swarm of thirty after a rest, and then six a minute", async () => {
    const clock = new TestClock();
    const budgets = new ApiBudgets(clock, "polite");
    const held = { code: "github-rate-limited", retryAfterMs: 10_000 };
    expect(takeAll(budgets)).toEqual({ taken: 30, ...held });
    await clock.advance(MINUTE_MS);
    expect(takeAll(budgets)).toEqual({ taken: 6, ...held });
    await clock.advance(60 * MINUTE_MS);
    expect(takeAll(budgets)).toMatchObject({ taken: 30 });
  });

  it("do not wait for those to another repository, and for nothing where GitHub limits nothing", () => {
    const budgets = new ApiBudgets(new TestClock(), "polite");
    takeAll(budgets);
    expect(takeAll(budgets, repoName("octo/other"))).toMatchObject({ taken: 30 });
    expect(takeAll(new ApiBudgets(new TestClock(), "off"))).toEqual({ taken: Infinity });
  });
});
