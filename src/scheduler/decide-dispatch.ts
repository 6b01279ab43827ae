import { dependenciesOf } from "../board/phases.ts";
import { tighter } from "../domain/budget.ts";
import type { Budget } from "../domain/budget.ts";
import { knownDirectory } from "../domain/claim/compile-pattern.ts";
import { lastExplorationOf } from "../domain/exploration.ts";
import { wordToConfirm } from "../domain/explore/words.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Blocked, PlannableTask } from "../domain/plan.ts";
import { isApproved } from "../domain/pull-review.ts";
import { claimsOf, holdsClaims, isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { decideStarts } from "../planner/starts/decide-starts.ts";
import type {
  DispatchDecision,
  DispatchSnapshot,
  Holding,
} from "../planner/starts/decide-starts.ts";
import { prepareBacklog } from "../planner/waves/backlog.ts";
import type { Backlog } from "../planner/waves/backlog.ts";
import { estimateWith, learnDurations } from "../planner/waves/estimate.ts";
import type { PastRun } from "../planner/waves/estimate.ts";
import type { FinishedRun } from "../ports/store.ts";
import { decideEvaluations } from "./decide-evaluations.ts";
import type { EvaluationDecision } from "./decide-evaluations.ts";
import { unreachableIn } from "./decide-reach.ts";
import { routeOf } from "./slots/routes.ts";
import { freeSlots } from "./slots/slots.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";
import { startBanIn, taskBudgetCause } from "./start-bans.ts";

interface SlotsForStarts extends Pick<DispatchSnapshot, "slots" | "lastStartAt" | "startBan"> {
  readonly evaluations: EvaluationDecision;
}

export function dispatchOf(
  backlog: Backlog,
  room: Pick<DispatchSnapshot, "slots" | "lastStartAt" | "startBan">,
  snapshot: SchedulerSnapshot,
): DispatchDecision {
  const { config } = snapshot.context;
  return decideStarts({
    now: snapshot.now,
    backlog,
    holding: snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog)),
    ...room,
    rules: {
      schedule: config.schedule,
      onFailure: config.onFailure,
      reviewLimit: config.limits.review,
      launchDelayMs: snapshot.limits.launchDelayMs,
    },
    failures: snapshot.tasks.flatMap(({ id, state }) => (state === "failed" ? [id] : [])),
    notBefore: delays(snapshot),
    wave: snapshot.wave,
  });
}

/** Says what is left for new runs after further runs of the tasks at work have had their slots. */
export function freeSlotsIn(snapshot: SchedulerSnapshot): SlotsForStarts {
  const startBan = startBanIn(snapshot);
  const evaluations = evaluationsIn(snapshot, startBan !== undefined);
  const { slots, lastStartAt } = evaluations;
  return { evaluations, slots, lastStartAt, startBan };
}

export function backlogOf(snapshot: SchedulerSnapshot): Backlog {
  const { config } = snapshot.context;
  const planned = snapshot.tasks.filter((task) => isPlanned(task.state));
  const durationOf = expectedDurations(snapshot);
  const unreachable = unreachableIn(snapshot);
  return prepareBacklog(
    planned.map((task) => ({
      ...plannable(task, { estimateMs: durationOf(task), unreachable }, snapshot),
      claims: claimsOf(task, snapshot.holds),
    })),
    {
      slots: config.limits.parallel,
      facts: snapshot.facts,
      claims: {
        barrier: config.barriers,
        shared: config.shared,
        isDirectory: knownDirectory(snapshot.directories),
      },
    },
  );
}

/** Says how long a run of each task is expected to take, judged by the repository's past runs. */
export function expectedDurations({
  history,
  context,
  limits,
}: Pick<SchedulerSnapshot, "history" | "context" | "limits">): (task: Task) => number {
  // The store gives the newest first.
  const model = learnDurations(history.toReversed().flatMap(pastRun));
  const routing = { ...limits, defaultRunner: context.config.runner ?? limits.defaultRunner };
  return ({ spec }) =>
    estimateWith(model, { size: spec.size, labels: [], runner: routeOf(spec, routing)[0] }).p50Ms;
}

export function holdingOf(
  task: Task,
  snapshot: SchedulerSnapshot,
  { tasks, positions }: Backlog,
): readonly Holding[] {
  const stage = stageOf(task, snapshot);
  if (stage === undefined) return [];
  const run = snapshot.runs.find((one) => one.task === task.id && one.state !== "finished");
  const expectedMs = tasks[positions.get(task.id) ?? -1]?.estimateMs ?? 0;
  const expectedEnd = run && instant((run.startedAt ?? run.queuedAt) + expectedMs);
  return [{ id: task.id, stage, expectedEnd, runner: run?.runner }];
}

/** Lists waiting tasks that failed a moment ago, with the end of their pause. */
export function delays({
  tasks,
  now,
}: {
  readonly tasks: readonly Task[];
  readonly now: Instant;
}): ReadonlyMap<TaskId, Instant> {
  const delayed = tasks.flatMap(({ id, state, notBefore }) =>
    state === "waiting" && notBefore !== undefined && notBefore > now
      ? [[id, notBefore] as const]
      : [],
  );
  return new Map(delayed);
}

function evaluationsIn(snapshot: SchedulerSnapshot, held: boolean): EvaluationDecision {
  const { context, limits, running } = snapshot;
  return decideEvaluations({
    runNames: snapshot.context.runNames,
    ...snapshot,
    held,
    budget: budgetOfTask(snapshot),
    maxLost: context.config.limits.failures.infrastructure,
    launchDelayMs: limits.launchDelayMs,
    slots: freeSlots(context.config, limits, snapshot),
    lastStartAt: latest(running.map((run) => run.queuedAt)),
  });
}

function latest(times: readonly Instant[]): Instant | undefined {
  return times.reduce<Instant | undefined>(
    (last, time) => (last === undefined || time > last ? time : last),
    undefined,
  );
}

interface Judged {
  readonly estimateMs: number;
  readonly unreachable: ReturnType<typeof unreachableIn>;
}

function plannable(
  task: Task,
  { estimateMs, unreachable }: Judged,
  snapshot: SchedulerSnapshot,
): PlannableTask {
  const { id, issue, readySince, spec } = task;
  const invalid = holdsClaims(task.state)
    ? undefined
    : (spec.invalid ??
      cycleCause(task, snapshot) ??
      unreachable(task) ??
      unconfirmedCause(task, snapshot) ??
      taskBudgetCause(task, budgetOfTask(snapshot), snapshot));
  const dependsOn = dependenciesOf(task, snapshot.phases ?? new Map());
  return { ...spec, dependsOn, id, order: issue, readySince, estimateMs, invalid };
}

function budgetOfTask({ context, limits }: Pick<SchedulerSnapshot, "context" | "limits">): Budget {
  return tighter(context.config.budget.perTask, limits.budget.perTask);
}

/** An exploration that would cost much waits for a person, as long as its issue says the same. */
function unconfirmedCause(
  { id, specHash }: Task,
  { explorations }: SchedulerSnapshot,
): Blocked["cause"] | undefined {
  const last = lastExplorationOf(id, explorations);
  if (last?.state !== "to-confirm" || last.specHash !== specHash) return undefined;
  return { code: "to-confirm", reason: wordToConfirm(last.plan) };
}

function cycleCause({ id }: Task, { cycles }: SchedulerSnapshot): Blocked["cause"] | undefined {
  const reason = cycles?.get(id);
  return reason === undefined ? undefined : { code: "dependency-cycle", reason };
}

function pastRun({ startedAt, finishedAt, size, runner }: FinishedRun): readonly PastRun[] {
  if (startedAt === undefined || finishedAt === undefined) return [];
  return [{ durationMs: finishedAt - startedAt, size, labels: [], runner, timedOut: false }];
}

function stageOf(task: Task, snapshot: SchedulerSnapshot): Holding["stage"] | undefined {
  const { state, rework } = task;
  if (state === "running" || state === "queued") return state;
  if (state !== "review") return undefined;
  if (rework !== undefined) return "rework";
  return isReviewed(task, snapshot) ? "queued" : "review";
}

/** Is also true while the train has not taken the approval in: the train does that on its turn, and may be waiting for GitHub. */
function isReviewed({ pull: number }: Task, { pulls, context }: SchedulerSnapshot): boolean {
  const pull = pulls.find((one) => one.number === number);
  return pull !== undefined && isApproved(pull, context.config.train);
}
