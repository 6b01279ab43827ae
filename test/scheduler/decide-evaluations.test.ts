import { describe, expect, it } from "vitest";
import { levelOn } from "../../src/domain/explore/next-step.ts";
import { instant } from "../../src/domain/ids.ts";
import { decideEvaluations } from "../../src/scheduler/decide-evaluations.ts";
import type {
  EvaluationDecision,
  EvaluationSituation,
} from "../../src/scheduler/decide-evaluations.ts";
import { NOW, aPlan, aRun, aSpec, aTask, anExploration, shaOf } from "../support/builders.ts";

const PLAN = aPlan();
const TASK = aTask({
  state: "running",
  attempts: 1,
  spec: aSpec({ explore: { ideas: { kind: "list", ideas: PLAN.ideas } } }),
});
const LEVELS = [levelOn([{ number: 0, commit: shaOf(1) }], PLAN, { depth: 1, after: 0, now: NOW })];

function decide(members: Partial<EvaluationSituation> = {}): EvaluationDecision {
  return decideEvaluations({
    now: NOW,
    tasks: [TASK],
    runs: [aRun({ contender: 0, state: "finished" })],
    explorations: [anExploration({ task: TASK.id, plan: PLAN, levels: LEVELS })],
    budget: {},
    maxLost: 3,
    slots: { overall: 9, runners: new Map([["shell", 9]]) },
    launchDelayMs: 0,
    lastStartAt: undefined,
    held: false,
    ...members,
  });
}

describe("decideEvaluations", () => {
  it("starts what is queued, each from its node, with the runner of the first run", () => {
    const { starts } = decide();
    expect(
      starts.map(({ id, contender, baseSha, runner }) => [id, contender, baseSha, runner]),
    ).toEqual([
      ["octo.app.1.1.c1", 1, shaOf(1), "shell"],
      ["octo.app.1.1.c2", 2, shaOf(1), "shell"],
    ]);
  });

  it("takes no more slots than there are, and none while nothing may start", () => {
    expect(decide({ slots: { overall: 1 } }).starts).toHaveLength(1);
    expect(decide({ held: true }).starts).toEqual([]);
  });

  it("looks again when the pause of its runner ends", () => {
    const until = instant(NOW + 60_000);
    const pausedRunners = new Map([["shell", { until, because: "its provider said so" }]]);
    expect(decide({ slots: { overall: 9, pausedRunners } })).toMatchObject({
      starts: [],
      again: until,
    });
  });

  it("keeps the pause between two launches", () => {
    const { starts, again } = decide({ launchDelayMs: 1_000 });
    expect([starts.length, again]).toEqual([1, instant(NOW + 1_000)]);
  });
});
