import { describe, expect, it } from "vitest";
import { evaluationsOf } from "../../../src/domain/explore/evaluations.ts";
import { decideEnd, endedExploration } from "../../../src/domain/explore/decide-end.ts";
import { levelOn, nextStep } from "../../../src/domain/explore/next-step.ts";
import type { ExploreStep } from "../../../src/domain/explore/next-step.ts";
import type { Exploration } from "../../../src/domain/exploration.ts";
import { instant, runId } from "../../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../../src/domain/run.ts";
import {
  NOW,
  SUCCEEDED,
  aPlan,
  aRun,
  aSpec,
  aTask,
  anExploration,
  shaOf,
} from "../../support/builders.ts";

const PLAN = aPlan({ maxLost: 3 });
const TASK = aTask({
  state: "running",
  attempts: 1,
  spec: aSpec({ explore: { ideas: { kind: "list", ideas: PLAN.ideas } } }),
});
const FAILED: RunOutcome = { kind: "failed", exitCode: 1, tail: "" };
const LOST: RunOutcome = { kind: "lost", reason: "gone" };
const LIMITED: RunOutcome = { kind: "provider-limited", until: undefined };
const INTERRUPTED: RunOutcome = { kind: "lost", reason: "stopped", interrupted: true };

function firstLevel(members: Partial<Exploration> = {}): Exploration {
  const plan = members.plan ?? PLAN;
  const root = [{ number: 0, commit: shaOf(1) }];
  const levels = [levelOn(root, plan, { depth: 1, after: 0, now: NOW })];
  return anExploration({ task: TASK.id, levels, ...members, plan });
}

function ended(contender: number, outcome: RunOutcome, retry = 0): Run {
  const id = runId(`c${contender}.r${retry}`);
  return aRun({ id, contender, state: "finished", outcome, ...(retry > 0 && { retry }) });
}

function scored(contender: number, score: number): Run {
  return ended(contender, { ...SUCCEEDED, head: shaOf(100 + contender), score, merit: score });
}

function step(
  runs: readonly Run[],
  exploration: Exploration | undefined = firstLevel(),
): ExploreStep {
  return nextStep({ task: TASK, exploration, runs, budget: {}, maxLost: 3, now: NOW });
}

function due(found: ExploreStep): readonly string[] {
  if (found.kind !== "runs") return [found.kind];
  return found.due.map(({ contender, retry }) => `${contender}.${retry}`);
}

describe("nextStep", () => {
  it("begins with the run that opens the exploration, and waits for it", () => {
    const open = (...runs: readonly Run[]) =>
      nextStep({ task: TASK, exploration: undefined, runs, budget: {}, maxLost: 3, now: NOW });
    expect(due(open())).toEqual(["0.0"]);
    expect(due(open(aRun({ contender: 0 })))).toEqual([]);
    expect(due(open(ended(0, INTERRUPTED)))).toEqual(["0.1"]);
    expect(due(open(ended(0, FAILED), ended(0, FAILED, 1)))).toEqual(["end"]);
  });

  it.each<[string, readonly Run[], readonly string[]]>([
    ["all ideas at first", [], ["1.0", "2.0"]],
    ["what has no run yet", [aRun({ contender: 1, state: "running" })], ["2.0"]],
    ["a failed one once more", [ended(1, FAILED), scored(2, 1)], ["1.1"]],
    ["not more often than it may", [ended(1, FAILED), ended(1, FAILED, 1)], ["2.0"]],
    ["one that the world took away", [ended(1, LOST), ended(1, LOST, 1), scored(2, 1)], ["1.2"]],
    ["one at its provider's limit", [ended(1, LIMITED), scored(2, 1)], ["1.1"]],
    ["nothing that has succeeded", [scored(1, 1), aRun({ contender: 2, state: "running" })], []],
  ])("lets %s begin", (_, runs, expected) => {
    expect(due(step(runs))).toEqual(expected);
  });

  it("gives up one that is taken away again and again, but not for a stop before it had begun", () => {
    const often = [0, 1, 2].map((retry) => ended(1, LOST, retry));
    expect(due(step([...often, scored(2, 1)]))).toEqual(["promote"]);
    const early = [0, 1, 2].map((retry) => ended(1, INTERRUPTED, retry));
    expect(due(step([...early, scored(2, 1)]))).toEqual(["1.3"]);
    const begun = early.map((run) => ({ ...run, startedAt: NOW }));
    expect(due(step([...begun, scored(2, 1)]))).toEqual(["promote"]);
  });

  it("closes a level once, and opens the next on the best, nodes by number and ideas by name", () => {
    const found = step([scored(1, 3), scored(2, 9)]);
    if (found.kind !== "promote" || found.change.kind !== "exploration-moved")
      throw new Error("not promoted");
    expect(found.promoted).toEqual([1, 2]);
    expect(found.change).toMatchObject({ from: "exploring", unchangedSince: NOW });
    expect(found.change.set.levels?.[1]?.evaluations).toEqual([
      { number: 3, parent: 1, node: shaOf(101), idea: "a" },
      { number: 4, parent: 1, node: shaOf(101), idea: "b" },
      { number: 5, parent: 2, node: shaOf(102), idea: "a" },
      { number: 6, parent: 2, node: shaOf(102), idea: "b" },
    ]);
  });

  it("promotes no more than the beam, and goes on with those that are left when some failed", () => {
    const narrow = firstLevel({ plan: aPlan({ beam: 1 }) });
    expect(step([scored(1, 3), scored(2, 9)], narrow)).toMatchObject({ promoted: [2] });
    const failed = [0, 1].map((retry) => ended(1, FAILED, retry));
    expect(step([...failed, scored(2, 9)])).toMatchObject({ kind: "promote", promoted: [2] });
  });

  it.each<[string, Partial<Exploration>, readonly Run[], string]>([
    [
      "at its depth",
      { plan: aPlan({ depth: 1 }) },
      [scored(1, 1), scored(2, 2)],
      "level 1 was the last",
    ],
    [
      "when its patience is over",
      { plan: aPlan({ patience: 1, baseScore: 5 }) },
      [scored(1, 1), scored(2, 5)],
      "a level brought no better score",
    ],
    [
      "when all of a level failed",
      { plan: aPlan({ retries: 0 }) },
      [ended(1, FAILED), ended(2, FAILED)],
      "no evaluation of the level succeeded",
    ],
    [
      "at the first failure when it is strict",
      { plan: aPlan({ strict: true, retries: 0 }) },
      [ended(1, FAILED)],
      "it is strict, and evaluation 1 (a) failed",
    ],
    [
      "when somebody stopped it",
      { stop: { why: "cancelled by ann", keep: true } },
      [scored(1, 1)],
      "cancelled by ann",
    ],
  ])("ends %s", (...[, members, runs, why]) => {
    expect(step(runs, firstLevel(members))).toEqual({ kind: "end", why });
  });

  it("ends when its budget is spent, but not before what runs has ended", () => {
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 6 };
    const runs = [{ ...scored(1, 1), usage, finishedAt: NOW }];
    const facts = {
      task: TASK,
      exploration: firstLevel(),
      budget: { usd: 5 },
      maxLost: 3,
      now: NOW,
    };
    expect(nextStep({ ...facts, runs })).toEqual({ kind: "end", why: "its budget of $5 is spent" });
    const busy = [...runs, aRun({ contender: 2, state: "running" })];
    expect(nextStep({ ...facts, runs: busy })).toMatchObject({ kind: "runs", due: [] });
  });

  it("has nothing to say of a task that does not explore, or works on a review", () => {
    const plain = { ...TASK, spec: aSpec() };
    const facts = { exploration: undefined, budget: {}, maxLost: 3, now: NOW };
    expect(nextStep({ ...facts, task: plain, runs: [] })).toEqual({ kind: "none" });
    const rework = { kind: "review", answers: [], feedback: [] } as const;
    const runs = [aRun({ rework })];
    expect(nextStep({ ...facts, task: TASK, runs })).toEqual({ kind: "none" });
  });
});

describe("decideEnd", () => {
  const runs = [scored(1, 3), scored(2, 9)];

  it("takes the best of all", () => {
    expect(decideEnd(firstLevel(), runs, "over")).toMatchObject({ kind: "winner", run: runs[1] });
  });

  it("takes nothing that is worse than the base, and what is as good", () => {
    const worse = firstLevel({ plan: aPlan({ baseScore: 10 }) });
    expect(decideEnd(worse, runs, "over")).toEqual({
      kind: "none",
      why: "nothing is better than the base: the best is 9 (base 10)",
    });
    const equal = firstLevel({ plan: aPlan({ baseScore: 9 }) });
    expect(decideEnd(equal, runs, "over").kind).toBe("winner");
  });

  it("says that it is strict where that is why nothing is taken, also when nothing succeeded", () => {
    const failed = [ended(1, FAILED)];
    const strict = firstLevel({ plan: aPlan({ strict: true, retries: 0 }) });
    const why = "it is strict, and evaluation 1 (a) failed";
    expect(decideEnd(strict, failed, why)).toEqual({ kind: "none", why });
  });

  it("keeps the best so far of one that was stopped, and nothing of one that was taken away", () => {
    const stop = { why: "cancelled by ann", keep: true };
    expect(decideEnd(firstLevel({ stop }), runs, "over").kind).toBe("winner");
    expect(decideEnd(firstLevel({ stop }), [], "over").kind).toBe("cancelled");
    const away = { why: "its card was moved away", keep: false };
    expect(decideEnd(firstLevel({ stop: away }), runs, "over")).toEqual({
      kind: "cancelled",
      why: "its card was moved away",
    });
  });

  it("says that nobody is logged in, whether or not something succeeded before", () => {
    const loggedOut = { kind: "not-logged-in", runner: "agent", keys: [], tail: "" } as const;
    const said = /^the runner agent is not logged in/;
    for (const before of [[], [scored(1, 3)]]) {
      const tried = [...before, ended(2, loggedOut)];
      const found = step(tried);
      expect(found).toMatchObject({ kind: "end", why: expect.stringMatching(said) as string });
      const why = found.kind === "end" ? found.why : "";
      const kind = before.length === 0 ? "none" : "winner";
      expect(decideEnd(firstLevel(), tried, why)).toMatchObject({ kind, why });
    }
  });

  it("promotes nothing of a level that was cut short", () => {
    const stop = { why: "cancelled by ann", keep: true };
    const end = { why: "cancelled by ann", winner: 1 };
    const exploration = firstLevel({ stop });
    const over = endedExploration(exploration, [scored(1, 3)], { end, now: NOW });
    expect(over.levels[0]).toMatchObject({ promoted: [], closedAt: NOW });
    const states = evaluationsOf(over, [scored(1, 3)]).map(({ state }) => state);
    expect(states).toEqual(["succeeded", "skipped"]);
    const stopped = [scored(1, 3), ended(2, { kind: "cancelled", reason: "cancelled by ann" })];
    expect(endedExploration(exploration, stopped, { end, now: NOW }).levels[0]?.promoted).toEqual(
      [],
    );
    const whole = endedExploration(firstLevel(), runs, { end, now: instant(NOW + 1) });
    expect(whole.levels[0]?.promoted).toEqual([1, 2]);
  });
});
