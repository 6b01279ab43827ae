import { beforeEach, describe, expect, it } from "vitest";
import { stopRuns } from "../../src/app/stop-runs.ts";
import { taskId } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import { aRun } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";

const [ONE, TWO] = [taskId("octo/app#1"), taskId("octo/app#2")];

class Runs {
  under: readonly Run[] = [aRun({ task: ONE }), aRun({ task: TWO })];
  readonly settledLater = deferred<undefined>();
  stopped = false;
  left = false;
  running = () => this.under;
  allEnded = () => this.settledLater.promise.then(() => undefined);
  stop = () => {
    this.stopped = true;
    this.under = [];
    return Promise.resolve();
  };
  leave = () => {
    this.left = true;
  };
}

let runs: Runs;
let clock: TestClock;
beforeEach(() => {
  runs = new Runs();
  clock = new TestClock();
});

describe("stopRuns", () => {
  it("leaves runs alone and says that they go on", async () => {
    const report = await stopRuns(runs, { policy: "leave", timeoutMs: 1000, clock });
    expect(report).toEqual({ finished: [], requeued: [], left: [ONE, TWO] });
    expect(runs).toMatchObject({ stopped: false, left: true });
  });

  it("ends runs and says that their tasks are queued again", async () => {
    const report = await stopRuns(runs, { policy: "stop", timeoutMs: 1000, clock });
    expect(report).toEqual({ finished: [], requeued: [ONE, TWO], left: [] });
    expect(runs.stopped).toBe(true);
  });

  it("waits until runs have finished, and leaves no timer behind", async () => {
    const stopping = stopRuns(runs, { policy: "finish", timeoutMs: 1000, clock });
    await clock.advance(500);
    runs.under = [];
    runs.settledLater.resolve(undefined);
    expect(await stopping).toEqual({ finished: [ONE, TWO], requeued: [], left: [] });
    expect(clock.waiting).toEqual([]);
  });

  it("waits no longer than it may, then ends the rest", async () => {
    const stopping = stopRuns(runs, { policy: "finish", timeoutMs: 1000, clock });
    runs.under = runs.under.slice(1);
    await clock.advance(1000);
    expect(await stopping).toEqual({ finished: [ONE], requeued: [TWO], left: [] });
    expect(runs.stopped).toBe(true);
  });
});
