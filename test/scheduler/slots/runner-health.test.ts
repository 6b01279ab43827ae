import { describe, expect, it } from "vitest";
import { instant, runId, taskId } from "../../../src/domain/ids.ts";
import type { EndedRun } from "../../../src/domain/run.ts";
import { runnerHealth } from "../../../src/scheduler/slots/runner-health.ts";
import type { RunnerPast } from "../../../src/scheduler/slots/runner-health.ts";
import { NOW, aRun } from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { MINUTE_MS, anEndedRun, someLimits } from "../../support/pool.ts";

const RULES = someLimits().rest;

/** A run by its task, its begin and end in minutes from now, and how it ended. */
function run(task: number, [from, to]: [number, number], members: Partial<EndedRun>): EndedRun {
  const queuedAt = instant(NOW + from * MINUTE_MS);
  const finishedAt = instant(NOW + to * MINUTE_MS);
  return anEndedRun({ task: taskId(`octo/app#${task}`), queuedAt, finishedAt, ...members });
}

function health(ended: readonly EndedRun[], members: Partial<RunnerPast> = {}) {
  return runnerHealth({ ended, running: [], now: NOW, rules: RULES, ...members });
}

const HEALTHY = { pause: undefined, trial: false };
const LIMITED = { kind: "provider-limited" } as const;
const LOST = { kind: "lost" } as const;
const at = (minutes: number) => instant(NOW + minutes * MINUTE_MS);

describe("a runner that is not logged in", () => {
  const ended = [run(1, [-90, -80], { kind: "not-logged-in" }), run(2, [-79, -70], {})];

  it("is paused without an end, whatever its other runs did meanwhile", () => {
    const pause = {
      until: undefined,
      because: "it is not logged in",
      since: at(-80),
      cause: "login",
    };
    expect(health(ended)).toEqual({ pause, trial: false });
    expect(health(ended, { now: at(100_000) })).toEqual({ pause, trial: false });
  });

  it("goes on once somebody lifts the pause, also when runs from before end so later", () => {
    expect(health(ended, { liftedAt: at(-85) })).toEqual(HEALTHY);
    expect(health(ended, { liftedAt: at(-91) }).pause).toBeDefined();
  });

  it("goes on once it is configured otherwise", () => {
    const old = ended.map((one) => ({ ...one, definition: "old" }));
    expect(health(old, { definition: "new" })).toEqual(HEALTHY);
    expect(health(old, { definition: "old" }).pause).toBeDefined();
  });
});

describe("a provider's limit", () => {
  it("pauses the runner until its reset, and no longer", () => {
    const ended = [run(1, [-3, -2], { ...LIMITED, until: at(40) })];
    const because = "its provider's limit";
    expect(health(ended)).toEqual({
      pause: { until: at(40), because, since: at(-2), cause: "limit" },
      trial: false,
    });
    expect(health(ended, { now: at(40) })).toEqual(HEALTHY);
  });

  it("holds although a run that began before it ends well", () => {
    const ended = [run(1, [-3, -2], { ...LIMITED, until: at(40) }), run(2, [-20, -1], {})];
    expect(health(ended).pause?.until).toBe(at(40));
  });

  it("is over when a run that began after it ended well", () => {
    const ended = [run(1, [-3, -2], { ...LIMITED, until: at(40) }), run(2, [-2, -1], {})];
    expect(health(ended)).toEqual(HEALTHY);
  });

  it("ends when the one of several runs says that was told", () => {
    const told = run(1, [-3, -2], { ...LIMITED, until: at(40) });
    const untold = run(2, [-3, -1], { ...LIMITED, until: undefined });
    expect(health([told, untold]).pause?.until).toBe(at(40));
  });

  it("is asked about again after a day, whatever was said", () => {
    const ended = [run(1, [-3, -2], { ...LIMITED, until: at(1e6) })];
    expect(health(ended).pause?.until).toBe(at(-2 + 24 * 60));
  });

  it("with no known end, or one in the past, pauses for a minute at first", () => {
    for (const until of [undefined, at(-5)]) {
      const ended = [run(1, [-1, -0.5], { ...LIMITED, until })];
      expect(health(ended).pause?.until).toBe(at(0.5));
    }
  });

  it("pauses longer with every try, up to half an hour; runs refused together are one", () => {
    const together = [1, 2, 3].map((task) => run(task, [-200, -190], LIMITED));
    const tries = [-180, -170, -160, -150, -140, -130].map((from) =>
      run(4, [from, from + 1], LIMITED),
    );
    const pauses = [0, 1, 2, 3, 4, 5, 6].map((count) => {
      const ended = [...together, ...tries.slice(0, count)];
      const last = Math.max(...ended.map(({ finishedAt }) => finishedAt));
      const now = instant(last);
      return ((health(ended, { now }).pause?.until ?? 0) - last) / MINUTE_MS;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it("with no known end lets one run try, until that has gone on for two minutes", () => {
    const ended = [run(1, [-10, -9], LIMITED)];
    expect(health(ended)).toEqual({ pause: undefined, trial: true });
    const trying = (minutes: number) => [aRun({ queuedAt: at(-minutes) })];
    expect(health(ended, { running: trying(1) }).trial).toBe(true);
    expect(health(ended, { running: trying(2) }).trial).toBe(false);
    expect(health(ended, { running: trying(30) }).trial).toBe(true);
  });
});

describe("lost runs in a row", () => {
  const three = [run(1, [-9, -8], LOST), run(2, [-7, -6], LOST), run(3, [-5, -0.5], LOST)];

  it("let the runner rest, then try one run", () => {
    expect(health(three.slice(0, 2))).toEqual(HEALTHY);
    expect(health(three).pause).toEqual({
      until: at(0.5),
      because: "3 runs in a row were lost",
      since: at(-0.5),
      cause: "lost",
    });
    expect(health(three, { now: at(1) })).toEqual({ pause: undefined, trial: true });
  });

  it("let it rest longer when the trial is lost too", () => {
    const trial = run(4, [1, 2], LOST);
    expect(health([...three, trial], { now: at(2) }).pause?.until).toBe(at(4));
  });

  it.each([
    ["a success", { kind: "succeeded" }],
    ["a failure of the agent's own", { kind: "failed" }],
  ] as const)("are forgotten after %s that began later", (_, members) => {
    expect(health([...three, run(4, [-0.4, -0.1], members)])).toEqual(HEALTHY);
  });

  it("mean nothing when all are of one task", () => {
    expect(health(three.map((one) => ({ ...one, task: taskId("octo/app#1") })))).toEqual(HEALTHY);
  });

  it("mean nothing after an hour", () => {
    expect(health(three, { now: at(60) })).toEqual(HEALTHY);
  });

  it("do not include those that the stop of the app ended, nor cancelled ones", () => {
    expect(health(three.map((one) => ({ ...one, interrupted: true })))).toEqual(HEALTHY);
    expect(health(three.map((one) => ({ ...one, kind: "cancelled" })))).toEqual(HEALTHY);
  });
});

describe("runnerHealth", () => {
  const anyRun = fc
    .record({
      task: fc.integer({ min: 1, max: 3 }),
      from: fc.integer({ min: -300, max: -1 }),
      took: fc.integer({ min: 0, max: 100 }),
      kind: fc.constantFrom("succeeded", "failed", "lost", "provider-limited", "cancelled"),
      until: fc.option(fc.integer({ min: -300, max: 300 }), { nil: undefined }),
    })
    .map(({ task, from, took, kind, until }) =>
      run(task, [from, Math.min(0, from + took)], {
        kind,
        until: until === undefined ? undefined : at(until),
      }),
    );

  it("does not depend on the order of the runs, and always ends within a day", () => {
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 12 }), (ended) => {
        const named = ended.map((one, index) => ({ ...one, id: runId(`r${index}`) }));
        const found = health(named);
        expect(health(named.toReversed())).toEqual(found);
        expect((found.pause?.until ?? NOW) - NOW).toBeLessThanOrEqual(24 * 60 * MINUTE_MS);
        expect(health(ended, { now: at(24 * 60) }).pause).toBeUndefined();
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
