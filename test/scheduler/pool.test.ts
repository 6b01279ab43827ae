import { describe, expect, it } from "vitest";
import { instant, runId, taskIdOf } from "../../src/domain/ids.ts";
import type { Task } from "../../src/domain/task.ts";
import { decide } from "../../src/scheduler/decide.ts";
import type { SchedulerSnapshot } from "../../src/scheduler/snapshot.ts";
import { aConfig } from "../support/a-config.ts";
import { HOUR_MS, NOW, OTHER_REPO, REPO, aRun, aSpec, aTask } from "../support/builders.ts";
import { MINUTE_MS, aRunner, anEndedRun, someLimits } from "../support/pool.ts";

interface Given extends Partial<SchedulerSnapshot> {
  readonly config?: Readonly<Record<string, unknown>>;
}

function decideOn(tasks: readonly Task[], { config, ...rest }: Given = {}) {
  const decision = decide({
    context: { repo: REPO, base: "main", config: aConfig(config) },
    now: NOW,
    tasks,
    runs: [],
    explorations: [],
    running: [],
    recent: [],
    facts: new Map(),
    availableMemory: Infinity,
    limits: someLimits(),
    history: [],
    directories: undefined,
    wave: [],
    holds: [],
    fence: 0,
    pulls: [],
    ...rest,
  });
  const starts = decision.actions.flatMap((action) =>
    action.kind === "start-run" ? [`${action.run.task.split("#")[1]} ${action.run.runner}`] : [],
  );
  const reasons = decision.actions
    .flatMap((action) => ("changes" in action ? action.changes : []))
    .flatMap((change) => ("reason" in change ? [change.reason] : []));
  return { ...decision, starts, reasons };
}

/** A task with a file of its own. */
function task(issue: number, members: Partial<Task> = {}, runner?: string): Task {
  const claims = [{ mode: "write", pattern: `${issue}.ts` }] as const;
  return aTask({ issue, spec: aSpec({ claims, runner }), ...members });
}

const RUNNERS = {
  codex: aRunner({ slots: 1, fallback: ["claude"] }),
  claude: aRunner({ slots: 2 }),
};
const limits = someLimits({ runners: RUNNERS, defaultRunner: "codex" });
const until = instant(NOW + HOUR_MS);
const limited = anEndedRun({ runner: "codex", kind: "provider-limited", until });
const busyCodex = aRun({ runner: "codex", task: taskIdOf(OTHER_REPO, 1) });

describe("fallback", () => {
  it("takes over while the wanted runner is paused, and says why", () => {
    const { starts, reasons } = decideOn([task(1)], { limits, recent: [limited] });
    expect(starts).toEqual(["1 claude"]);
    expect(reasons).toEqual([
      "codex is paused until 2023-11-14 23:13 UTC (its provider's limit): claude takes it",
    ]);
  });

  it("is not for those whose runner has none: they wait, and are looked at when the pause ends", () => {
    const other = anEndedRun({ runner: "claude", kind: "provider-limited", until });
    const decision = decideOn([task(1, {}, "claude")], { limits, recent: [other] });
    expect(decision.starts).toEqual([]);
    expect(decision.reasons).toEqual([
      "claude is paused until 2023-11-14 23:13 UTC (its provider's limit)",
    ]);
    expect(decision.again).toBe(until);
  });

  it("waits for a runner that is only busy, until patience ends", () => {
    const early = decideOn([task(1)], { limits, running: [busyCodex] });
    expect(early.starts).toEqual([]);
    expect(early.reasons).toEqual(["no codex slot is free"]);
    expect(early.again).toBe(NOW + 10 * MINUTE_MS);
    const late = decideOn([task(1, { changedAt: instant(NOW - 10 * MINUTE_MS) })], {
      limits,
      running: [busyCodex],
    });
    expect(late.starts).toEqual(["1 claude"]);
    expect(late.reasons).toEqual(["codex has no slot: claude takes it"]);
  });

  it("never gives more than there are slots, whoever stands in", () => {
    const tasks = [1, 2, 3, 4].map((issue) => task(issue));
    expect(decideOn(tasks, { limits, recent: [limited] }).starts).toHaveLength(2);
    const changedAt = instant(NOW - HOUR_MS);
    const patient = tasks.map((one) => ({ ...one, changedAt }));
    expect(decideOn(patient, { limits }).starts.toSorted()).toEqual([
      "1 codex",
      "2 claude",
      "3 claude",
    ]);
  });

  it("waits for the wanted one when the stand-in is paused too", () => {
    const recent = [limited, anEndedRun({ runner: "claude", kind: "provider-limited", until })];
    expect(decideOn([task(1)], { limits, recent }).starts).toEqual([]);
  });
});

describe("a runner on trial", () => {
  it("gets one run at a time", () => {
    const recent = [1, 2, 3].map((issue) =>
      anEndedRun({
        id: runId(`r${issue}`),
        task: taskIdOf(REPO, issue),
        kind: "lost",
        finishedAt: instant(NOW - 5 * MINUTE_MS),
      }),
    );
    expect(decideOn([task(1), task(2)], { recent }).starts).toEqual(["1 agent"]);
    expect(decideOn([task(1), task(2)]).starts).toHaveLength(2);
  });
});

describe("memory", () => {
  const GB = 2 ** 30;
  const withMemory = someLimits({
    minFreeMemory: GB,
    runners: { agent: aRunner({ memory: 2 * GB }) },
  });

  it.each([
    { available: 0.5, starts: 0 },
    { available: 2.9, starts: 0 },
    { available: 3, starts: 1 },
    { available: 5, starts: 2 },
    { available: 50, starts: 3 },
  ])("of $available GB is enough for $starts runs of 2 GB beside 1 GB", ({ available, starts }) => {
    const given = { limits: withMemory, availableMemory: available * GB };
    const decision = decideOn(
      [1, 2, 3].map((issue) => task(issue)),
      given,
    );
    expect(decision.starts).toHaveLength(starts);
  });

  it("is missed in words, and looked for again soon", () => {
    const decision = decideOn([task(1)], { limits: withMemory, availableMemory: 0 });
    expect(decision.reasons).toEqual([
      "waits for memory: the host has too little left for another agent run",
    ]);
    expect(decision.again).toBe(NOW + 15_000);
  });

  it("is kept for a run that has only just begun", () => {
    const given = { limits: withMemory, availableMemory: 4 * GB };
    const begun = (ms: number) => [aRun({ runner: "agent", queuedAt: instant(NOW - ms) })];
    expect(decideOn([task(1)], { ...given, running: begun(1000) }).starts).toEqual([]);
    expect(decideOn([task(1)], { ...given, running: begun(60_000) }).starts).toHaveLength(1);
  });
});

describe("budgets", () => {
  const usage = { inputTokens: 900, outputTokens: 100, cachedTokens: 0, costUsd: 20 };
  const spent = anEndedRun({ usage });

  it("of the day hold everything back until midnight UTC", () => {
    const withBudget = someLimits({ budget: { perTask: {}, perDay: { usd: 20 } } });
    const decision = decideOn([task(1)], { limits: withBudget, recent: [spent] });
    expect(decision.starts).toEqual([]);
    expect(decision.reasons).toEqual(["the day's budget of $20 is spent: continues at 00:00 UTC"]);
    const midnight = Date.UTC(2023, 10, 15);
    expect(decision.again).toBe(midnight);
    const next = { limits: withBudget, recent: [spent], now: instant(midnight) };
    expect(decideOn([task(1)], next).starts).toHaveLength(1);
  });

  it("of a repository count its own runs only", () => {
    const config = { budget: { perDay: { tokens: 1000 } } };
    const foreign = { ...spent, repo: OTHER_REPO };
    expect(decideOn([task(1)], { config, recent: [foreign] }).starts).toHaveLength(1);
    expect(decideOn([task(1)], { config, recent: [spent] }).reasons).toEqual([
      "this repository's budget of 1,000 tokens a day is spent: continues at 00:00 UTC",
    ]);
  });

  it("of minutes count runs under way", () => {
    const config = { budget: { perDay: { minutes: 30 } } };
    const running = [aRun({ runner: "agent", queuedAt: instant(NOW - 31 * MINUTE_MS) })];
    expect(decideOn([task(2)], { config, running }).starts).toEqual([]);
    expect(decideOn([task(2)], { config }).starts).toHaveLength(1);
  });

  it("of a task block it, until its card is moved to Ready anew", () => {
    const config = { budget: { perTask: { tokens: 1000 } } };
    const run = aRun({ state: "finished", startedAt: NOW, finishedAt: NOW, usage });
    const tried = task(1, { attempts: 1 });
    const decision = decideOn([tried, task(2)], { config, runs: [run] });
    expect(decision.starts).toEqual(["2 agent"]);
    expect(decision.reasons.at(-1)).toMatch(/^its budget of 1,000 tokens is spent/);
    const again = { ...tried, readySince: instant(NOW + 1) };
    expect(decideOn([again], { config, runs: [run] }).starts).toHaveLength(1);
  });
});

describe("the queue", () => {
  it("counts those that wait for a runner and for nothing else", () => {
    const blocked = aTask({ issue: 9, spec: aSpec({ dependsOn: [taskIdOf(REPO, 1)] }) });
    const tasks = [task(1), task(2), task(3, {}, "claude"), blocked];
    const { starts, queued } = decideOn(tasks, { limits });
    expect(starts).toEqual(["1 codex", "3 claude"]);
    expect(Object.fromEntries(queued)).toEqual({ codex: 1 });
  });
});
