import { describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { instant } from "../../../src/domain/ids.ts";
import { withinBudget } from "../../../src/runner/agent/run-in-progress.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO, aRun, aTask } from "../../support/builders.ts";

const MINUTE = 60_000;

function limitOf(perTask: object, ofOperator: object, spentMinutes = 0): number {
  const startedAt = instant(NOW - 100 * MINUTE);
  const finishedAt = instant(startedAt + spentMinutes * MINUTE);
  const runs = spentMinutes === 0 ? [] : [aRun({ startedAt, finishedAt })];
  const config = aConfig({ timeouts: { run: "30m" }, budget: { perTask } });
  const operator = operatorConfigSchema.parse({
    runners: { agent: { command: "true" } },
    budget: { perTask: ofOperator },
  });
  const progress = {
    context: { repo: REPO, base: "main", config },
    run: aRun(),
    task: aTask(),
    history: { previous: undefined, feedback: [], own: [], runs },
    signal: new AbortController().signal,
    slotFreed: () => undefined,
    baseSince: NOW,
    proof: { kind: "run", run: aRun().id, fence: 1 } as const,
  };
  return withinBudget(progress, operator).context.config.timeouts.run / MINUTE;
}

describe("withinBudget", () => {
  it.each([
    { repository: {}, operator: {}, spent: 0, limit: 30 },
    { repository: { minutes: 90 }, operator: {}, spent: 0, limit: 30 },
    { repository: { minutes: 20 }, operator: {}, spent: 0, limit: 20 },
    { repository: { minutes: 20 }, operator: { minutes: 10 }, spent: 0, limit: 10 },
    { repository: { minutes: 20 }, operator: {}, spent: 15, limit: 5 },
    { repository: { minutes: 20 }, operator: {}, spent: 25, limit: 0 },
  ])(
    "leaves $limit min with $repository and $operator when $spent min are spent",
    ({ repository, operator, spent, limit }) => {
      expect(limitOf(repository, operator, spent)).toBe(limit);
    },
  );
});
