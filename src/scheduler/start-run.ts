import type { Change } from "../domain/change.ts";
import { leadingRun, isContender } from "../domain/explore/contenders.ts";
import { explores, OPENING } from "../domain/exploration.ts";
import { runId } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { ReworkKind, Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Start } from "../planner/starts/decide-starts.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

export interface StartRun {
  readonly kind: "start-run";
  readonly run: Run;
  readonly changes: readonly Change[];
}

interface Begin extends Start {
  /** This is the number of the claims that it takes. It is undefined if the claims are held already. */
  readonly fence: number | undefined;
  readonly wave: number | undefined;
}

interface NewRun extends Pick<Run, "attempt" | "contender" | "rework" | "runner" | "definition"> {
  readonly baseSha?: Run["baseSha"];
  readonly retry?: number;
  readonly now: Instant;
  /** Its name begins with this, where that is not the repository's. */
  readonly named?: string | undefined;
}

/** Numbers the starts. Only a start that takes claims advances the number. */
export function withFences(
  starts: readonly Start[],
  { fence, holds }: SchedulerSnapshot,
): readonly Omit<Begin, "wave">[] {
  let last = fence;
  return starts.map((start) => {
    const isHeld = holds.some(({ task }) => task === start.id);
    if (!isHeld) last += 1;
    return { ...start, fence: isHeld ? undefined : last };
  });
}

/** Puts the run's row, the task's move and its claims in one batch. */
export function decideStart(
  task: Task | undefined,
  { reason, runner, fence, wave }: Begin,
  snapshot: SchedulerSnapshot,
): readonly StartRun[] {
  if (task === undefined) return [];
  const { now, runs } = snapshot;
  const wanted = task.state === "review" ? task.rework : undefined;
  const run = newRun(task, {
    attempt: task.attempts + 1,
    contender: wanted === undefined ? firstContender(task) : winnerOf(task, runs),
    rework: wanted,
    ...runnerNow(runner, snapshot),
    named: snapshot.context.runNames,
    now,
  });
  const moved: Change = {
    kind: "task-moved",
    task: task.id,
    from: task.state,
    to: "running",
    at: now,
    reason: wanted === undefined ? reason : wordRework(wanted.kind, task),
    set: { attempts: run.attempt, notBefore: null, branch: run.branch, wave: wave ?? null },
  };
  const changes: Change[] = [{ kind: "run-queued", run }, moved];
  if (fence !== undefined) {
    const { claims } = task.spec;
    const hold = { task: task.id, run: run.id, claims, fence, takenAt: now };
    changes.push({ kind: "claims-taken", hold });
  }
  return [{ kind: "start-run", run, changes }];
}

/** An exploration begins with the run that opens it. */
function firstContender({ spec }: Task): number {
  return explores(spec) ? OPENING : 1;
}

/** The HOME of a contender has its number: whoever goes on with its work finds its session there. */
function winnerOf({ id }: Task, runs: readonly Run[]): number {
  return leadingRun(id, runs)?.contender ?? 1;
}

function runnerNow(
  named: string | undefined,
  { limits, definitions }: SchedulerSnapshot,
): Pick<Run, "runner" | "definition"> {
  const runner = named ?? limits.defaultRunner;
  return { runner, definition: definitions?.get(runner) };
}

const REWORK_REASONS: Readonly<Record<ReworkKind, string>> = {
  review: "works on the changes that were requested",
  checks: "works on the checks that failed",
};

function wordRework(kind: ReworkKind, { pull }: Task): string {
  return `${REWORK_REASONS[kind]} on #${pull ?? 0}`;
}

/** Makes a run as it is before anything of it happens. */
export function newRun(task: Task, { now, named, retry = 0, ...known }: NewRun): Run {
  const of = isObjective(task) ? `${task.issue}.objective` : task.issue;
  const name = `${named ?? task.repo.replace("/", ".")}.${of}.${known.attempt}`;
  return {
    id: runId(isContender(known, task) ? `${name}${contenderName(known.contender, retry)}` : name),
    task: task.id,
    specHash: task.specHash,
    branch: task.branch ?? `wavetrain/${task.issue}`,
    state: "queued",
    workspace: undefined,
    baseSha: undefined,
    logPath: undefined,
    queuedAt: now,
    startedAt: undefined,
    finishedAt: undefined,
    heartbeatAt: undefined,
    outcome: undefined,
    usage: undefined,
    session: undefined,
    ...(retry === 0 ? {} : { retry }),
    ...known,
  };
}

/** Names it like `.c3`, and further runs of the same evaluation like `.c3.r1`. */
function contenderName(contender: number, retry: number): string {
  return `.c${contender}${retry === 0 ? "" : `.r${retry}`}`;
}
