import { describe, expect, it } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { StopOutcome } from "../../src/domain/run.ts";
import type { RunInProgress } from "../../src/runner/agent/run-in-progress.ts";
import type { RunnerDeps } from "../../src/runner/agent/runner-deps.ts";
import { openExploration } from "../../src/runner/open-exploration.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aMemory, aRun, aSpec, aTask, shaOf } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

const TASK = aTask({ state: "running", attempts: 1, spec: aSpec({ contenders: 2 }) });
const CANCELLED: StopOutcome = { kind: "cancelled", reason: "cancelled by ann" };

/** Opens a contest; `fetching` is called while the base is fetched, which nothing can stop. */
async function openWhile(fetching: (stop: AbortController) => void): Promise<readonly Change[]> {
  const recorded: Change[] = [];
  const stop = new AbortController();
  const deps = {
    store: {
      readRepo: () => Promise.resolve(aMemory({ tasks: [TASK] })),
      finishedRuns: () => Promise.resolve([]),
      record: (_: unknown, changes: readonly Change[]) =>
        Promise.resolve(recorded.push(...changes)),
    },
    git: {
      fetchBranch: () => {
        fetching(stop);
        return Promise.resolve(shaOf(1));
      },
    },
    clock: { now: () => NOW },
    log: new TestLog(),
  };
  const progress = {
    context: { repo: REPO, base: "main", config: aConfig() },
    run: aRun({ contender: 0, attempt: 1 }),
    task: TASK,
    signal: stop.signal,
    baseSince: NOW,
  };
  await openExploration(progress as unknown as RunInProgress, deps as unknown as RunnerDeps);
  return recorded;
}

describe("openExploration", () => {
  it("ends with the exploration", async () => {
    expect(await openWhile(() => undefined)).toMatchObject([
      { kind: "run-finished", outcome: { kind: "succeeded" } },
      { kind: "exploration-opened", exploration: { state: "exploring" } },
    ]);
  });

  it("opens nothing when it was cancelled at a moment at which nothing could be stopped", async () => {
    expect(await openWhile((stop) => stop.abort(CANCELLED))).toMatchObject([
      { kind: "run-finished", outcome: CANCELLED },
    ]);
  });
});
