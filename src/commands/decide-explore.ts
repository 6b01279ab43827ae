import type { Change } from "../domain/change.ts";
import { evaluationsOf } from "../domain/explore/evaluations.ts";
import { explores } from "../domain/exploration.ts";
import type { Exploration } from "../domain/exploration.ts";
import { bestEvaluation, isContest, wordBest } from "../domain/explore/words.ts";
import type { Task } from "../domain/task.ts";
import { done, refused } from "./decision.ts";
import type { CommandDecision, CommandSnapshot } from "./decision.ts";

/** Says yes to an exploration that is expected to cost much. */
export function decideExploreGo(task: Task, snapshot: CommandSnapshot): CommandDecision {
  const { exploring, now: at } = snapshot;
  const exploration = exploring?.exploration;
  const waits = task.state === "waiting" || task.state === "blocked";
  if (exploration?.state === "confirmed" && waits) return refused("somebody has said so already");
  if (exploration?.state !== "to-confirm" || !waits)
    return refused("no exploration of this issue waits for a yes");
  if (exploration.specHash !== task.specHash)
    return refused("the issue has changed since: it is looked at anew first");
  const { id, changedAt: unchangedSince } = exploration;
  const moved = { kind: "exploration-moved", exploration: id, from: "to-confirm", at } as const;
  return done("it starts when a slot is free", {
    changes: [{ ...moved, to: "confirmed", unchangedSince, set: {} }],
  });
}

/** Stops an exploration at work; the best so far is taken. It returns undefined where there is none, and for contenders, which end together. */
export function stopExploration(
  { attempts }: Task,
  { exploring, runs, by, now: at }: CommandSnapshot,
): CommandDecision | undefined {
  const exploration = exploring?.exploration;
  if (exploring === undefined || exploration === undefined) return undefined;
  const isAtWork = exploration.state === "exploring" && exploration.attempt === attempts;
  if (!isAtWork || isContest(exploration)) return undefined;
  if (exploration.stop !== undefined) return refused("it is being stopped already");
  const best = bestEvaluation(evaluationsOf(exploration, exploring.runs));
  const then =
    best === undefined
      ? "nothing has succeeded so far, so nothing is taken"
      : `the best so far is taken: evaluation ${best.number} (${best.idea}), ${wordBest(best, exploration.plan)}`;
  const why = `cancelled by ${by}`;
  return done(`the exploration is being stopped; ${then}`, {
    changes: [stopped(exploration, { why, keep: true }, at)],
    effects: runs.map(({ id: run }) => ({ kind: "cancel-run", run, reason: why })),
  });
}

/**
 * Ends contenders, or an exploration that is not open yet. Their runs are stopped besides; but what waits for a slot has none, and one
 * that ends at this very moment would take the cancellation with it.
 */
export function endExploring(
  task: Task,
  { exploring, runs, by, now: at }: CommandSnapshot,
): readonly Change[] {
  const exploration = exploring?.exploration;
  const reason = `cancelled by ${by}`;
  if (exploration?.attempt === task.attempts) {
    const isAtWork = exploration.state === "exploring" && exploration.stop === undefined;
    return isAtWork ? [stopped(exploration, { why: reason, keep: false }, at)] : [];
  }
  if (!explores(task.spec) || runs.length > 0) return [];
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  return [{ ...moved, to: "cancelled", reason, set: {} }];
}

function stopped(
  { id, changedAt: unchangedSince }: Exploration,
  stop: NonNullable<Exploration["stop"]>,
  at: CommandSnapshot["now"],
): Change {
  const moved = { kind: "exploration-moved", exploration: id, from: "exploring", at } as const;
  return { ...moved, to: "exploring", unchangedSince, set: { stop } };
}
