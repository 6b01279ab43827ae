import { usedUp, spentBy } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Change } from "../change.ts";
import { describeOutcome } from "../failure.ts";
import { compareRuns } from "./contenders.ts";
import type { Instant, Sha } from "../ids.ts";
import type { Run } from "../run.ts";
import type { Task } from "../task.ts";
import { evaluationsOf, isWithdrawn, stateOfRuns } from "./evaluations.ts";
import type { Evaluation } from "./evaluations.ts";
import { explores, meritOf, OPENING } from "../exploration.ts";
import type { Exploration, ExplorePlan, Level, PlannedEvaluation } from "../exploration.ts";

export interface ExploreSituation {
  readonly task: Task;
  /** It is undefined until the opening run has made it. */
  readonly exploration: Exploration | undefined;
  /** These are all runs of the task. */
  readonly runs: readonly Run[];
  /** The task may spend this. */
  readonly budget: Budget;
  readonly maxLost: number;
  readonly now: Instant;
}

/** This run is to begin when a slot is free. */
export interface DueRun {
  readonly contender: number;
  /** It is counted from 0 among the runs of its evaluation. */
  readonly retry: number;
  readonly parent: number;
  readonly baseSha: Sha | undefined;
}

export type ExploreStep =
  | { readonly kind: "none" }
  /** They are in the order in which they are to begin; `running` are under way. */
  | {
      readonly kind: "runs";
      readonly due: readonly DueRun[];
      readonly running: readonly Evaluation[];
    }
  /** The level is over: the best of it are the nodes of the next. */
  | { readonly kind: "promote"; readonly change: Change; readonly promoted: readonly number[] }
  /** Nothing more will be tried. */
  | { readonly kind: "end"; readonly why: string };

const NONE: ExploreStep = { kind: "none" };
const WAIT = { kind: "runs", due: [], running: [] } as const;

/** Says what comes next in the exploration of a task at work. The same facts give the same step, whatever the number of slots. */
export function nextStep(situation: ExploreSituation): ExploreStep {
  const { task, exploration, runs } = situation;
  const own = runs.filter(({ attempt }) => attempt === task.attempts);
  const isAtWork = task.state === "running" && explores(task.spec);
  if (!isAtWork || own.some(({ rework }) => rework !== undefined)) return NONE;
  if (exploration === undefined) return stepOfOpening(own, situation);
  if (exploration.state !== "exploring") return NONE;
  const evaluations = evaluationsOf(exploration, own);
  const stop = whyStop(exploration, evaluations, situation);
  const running = evaluations.filter(({ state }) => state === "running");
  if (stop !== undefined)
    return running.length === 0 ? { kind: "end", why: stop } : { ...WAIT, running };
  const due = evaluations.filter(({ state }) => state === "queued").map(dueRun);
  if (due.length + running.length > 0) return { kind: "runs", due, running };
  return afterLevel(exploration, evaluations, situation);
}

/** Says how the base, each closed level and the present one compare, as the number of levels without a better score. */
export function levelsWithoutGain(
  { plan, levels }: Pick<Exploration, "plan" | "levels">,
  evaluations: readonly Evaluation[],
): number {
  let best = meritOf(plan.baseScore, plan) ?? -Infinity;
  let without = 0;
  for (const { depth } of levels) {
    const merits = evaluations
      .filter((one) => one.depth === depth)
      .flatMap(({ score }) => meritOf(score, plan) ?? []);
    const top = Math.max(-Infinity, ...merits);
    without = top > best ? 0 : without + 1;
    best = Math.max(best, top);
  }
  return without;
}

/** Makes the evaluations of one level: nodes in the order of their numbers, ideas in the order of their names. */
export function levelOn(
  nodes: readonly { readonly number: number; readonly commit: Sha }[],
  { ideas }: Pick<ExplorePlan, "ideas">,
  { depth, after, now }: { readonly depth: number; readonly after: number; readonly now: Instant },
): Level {
  const pairs = nodes
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ number, commit }) => ideas.map(({ name }) => ({ parent: number, commit, name })));
  const evaluations = pairs.map(({ parent, commit, name }, at): PlannedEvaluation => ({
    number: after + 1 + at,
    parent,
    node: commit,
    idea: name,
  }));
  return { depth, evaluations, openedAt: now, promoted: [] };
}

/** Returns the best ones that succeeded, at most so many, in the order of their numbers. */
export function bestOf(evaluations: readonly Evaluation[], most: number): readonly Evaluation[] {
  return evaluations
    .filter(({ state }) => state === "succeeded")
    .toSorted(compareEvaluations)
    .slice(0, most)
    .toSorted((a, b) => a.number - b.number);
}

/** The better one comes first: the higher merit, then fewer files, then the lower number. */
export function compareEvaluations(a: Evaluation, b: Evaluation): number {
  const [one, other] = [goodRun(a), goodRun(b)];
  if (one === undefined || other === undefined) return a.number - b.number;
  return compareRuns(one, other);
}

export function goodRun({ runs }: Evaluation): Run | undefined {
  return runs.find(({ outcome }) => outcome?.kind === "succeeded");
}

/** Closes the last level. What is promoted is the same whatever comes after. */
export function closedLevels(
  { levels, plan }: Pick<Exploration, "levels" | "plan">,
  evaluations: readonly Evaluation[],
  now: Instant,
): readonly Level[] {
  return levels.map((level) => {
    if (level.closedAt !== undefined) return level;
    const ofLevel = evaluations.filter(({ depth }) => depth === level.depth);
    const promoted = bestOf(ofLevel, plan.beam).map(({ number }) => number);
    return { ...level, closedAt: now, promoted };
  });
}

function stepOfOpening(own: readonly Run[], { maxLost }: ExploreSituation): ExploreStep {
  const opening = own.filter(({ contender }) => contender === OPENING);
  // A proposal that could not be used is asked for once more.
  const state = stateOfRuns(opening, { retries: 1, maxLost });
  const due = { contender: OPENING, retry: opening.length, parent: 0, baseSha: undefined };
  if (state === "queued") return { ...WAIT, due: [due] };
  return state === "failed" ? { kind: "end", why: "it could not begin" } : WAIT;
}

function whyStop(
  { plan, stop, levels }: Exploration,
  evaluations: readonly Evaluation[],
  { runs, budget, task, now }: ExploreSituation,
): string | undefined {
  if (stop !== undefined) return stop.why;
  const withdrawn = evaluations.flatMap((one) => one.runs).find(isWithdrawn)?.outcome;
  if (withdrawn !== undefined) return describeOutcome(withdrawn);
  const since = runs.filter(({ queuedAt }) => queuedAt >= task.readySince);
  const spent = usedUp(budget, spentBy(since, { from: 0, now }));
  if (spent !== undefined) return `its budget of ${spent} is spent`;
  const depth = levels.at(-1)?.depth;
  const failed = evaluations.find((one) => one.depth === depth && one.state === "failed");
  return plan.strict && failed !== undefined ? wordStrict(failed) : undefined;
}

/** A person reads why a strict exploration has no winner. */
function wordStrict({ number, idea }: Evaluation): string {
  return `it is strict, and evaluation ${number} (${idea}) failed`;
}

function dueRun({ number, parent, node, runs }: Evaluation): DueRun {
  return { contender: number, retry: runs.length, parent, baseSha: node };
}

function afterLevel(
  exploration: Exploration,
  evaluations: readonly Evaluation[],
  { now }: ExploreSituation,
): ExploreStep {
  const { plan, id, changedAt } = exploration;
  const levels = closedLevels(exploration, evaluations, now);
  const last = levels.at(-1);
  const promoted = evaluations.filter(({ number }) => last?.promoted.includes(number) === true);
  if (last === undefined || promoted.length === 0)
    return { kind: "end", why: "no evaluation of the level succeeded" };
  if (last.depth >= plan.depth) return { kind: "end", why: `level ${plan.depth} was the last` };
  const without = levelsWithoutGain(exploration, evaluations);
  if (plan.patience !== undefined && without >= plan.patience)
    return { kind: "end", why: wordPatience(without) };
  const nodes = promoted.flatMap((one) => {
    const outcome = goodRun(one)?.outcome;
    return outcome?.kind === "succeeded" ? [{ number: one.number, commit: outcome.head }] : [];
  });
  const after = evaluations.at(-1)?.number ?? 0;
  const next = levelOn(nodes, plan, { depth: last.depth + 1, after, now });
  const set = { levels: [...levels, next] };
  const moved = { kind: "exploration-moved", exploration: id, from: "exploring", at: now } as const;
  const change: Change = { ...moved, to: "exploring", unchangedSince: changedAt, set };
  return { kind: "promote", change, promoted: last.promoted };
}

function wordPatience(levels: number): string {
  return `${levels === 1 ? "a level" : `${levels} levels`} brought no better score`;
}
