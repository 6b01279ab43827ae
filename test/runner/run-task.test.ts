import { expect, it } from "vitest";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { RunInProgress } from "../../src/runner/agent/run-in-progress.ts";
import { createFinishingRoom } from "../../src/runner/finishing-room.ts";
import { runTask } from "../../src/runner/run-task.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aRun, aTask } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

it("keeps the others from finishing until its agent runs, or cannot", async () => {
  const clock = new TestClock();
  const finishing = createFinishingRoom(1, clock);
  const order: string[] = [];
  const git = {
    fetchBranch: async () => {
      const entered = finishing.enter().then(() => order.push("another finishes"));
      await clock.settle();
      order.push("its workspace is made");
      void entered;
      throw new AppError("git-failed", "no such branch");
    },
  };
  const deps = {
    clock,
    finishing,
    git,
    log: new TestLog(),
    host: { random: () => 0 },
    operator: operatorConfigSchema.parse({ runners: { agent: { command: "agent" } } }),
    store: { record: () => Promise.resolve() },
    processes: { forget: () => Promise.resolve() },
  } as unknown as Deps;
  const progress = {
    run: aRun({ state: "queued", workspace: undefined }),
    task: aTask(),
    proof: {},
    context: { repo: REPO, base: "main", config: aConfig() },
    history: { runs: [] },
    signal: new AbortController().signal,
    slotFreed: () => undefined,
  } as unknown as RunInProgress;
  await runTask(progress, deps);
  await clock.settle();
  expect(order).toEqual(["its workspace is made", "another finishes"]);
});
