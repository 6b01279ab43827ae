import { assertNever } from "../../shared/assert-never.ts";
import { formatDuration } from "../../shared/format.ts";
import type { EntryState } from "../entry.ts";
import type { Instant } from "../ids.ts";
import { explores } from "../exploration.ts";
import { isContestTask, wordProgress } from "../explore/words.ts";
import { isObjective } from "../objective.ts";
import type { ReworkKind, Run } from "../run.ts";
import type { TaskState } from "../task.ts";
import { wordStanding } from "../train.ts";
import { presentExploring } from "./task-story.ts";
import type { TaskStory } from "./task-story.ts";

/** Says where a task is as people see it. It is finer than the task's state: a run is followed, and so is the way through the train. */
export type Whereabouts =
  | Exclude<TaskState, "running" | "review" | "queued">
  | RunWhereabouts
  | "review"
  | "rework"
  | TrainWhereabouts;

type RunWhereabouts = "starting" | "running" | "verifying" | "exploring";

type TrainWhereabouts =
  | "train-queued"
  | "train-verifying"
  | "train-verified"
  | "train-landing"
  | "train-paused"
  | "train-halted";

/** Every surface tells this of a task, each in its own form. */
export interface TaskReason {
  readonly whereabouts: Whereabouts;
  readonly since: Instant;
  /** It goes on by itself then, if this is in the future. */
  readonly until: Instant | undefined;
  /** A sentence says why it is there. */
  readonly why: string;
  /** It says what makes it go on. It is empty where `why` says so, or nothing can be done. */
  readonly next: string;
  /** This file on the server has the whole output that explains it, where there is one. */
  readonly logPath: string | undefined;
}

interface WhereaboutsWords {
  /** It fits into a column of a table. */
  readonly label: string;
  readonly next: string;
  /** It passes by itself in the ordinary way: its steps are worth no write on GitHub. */
  readonly passes: boolean;
  /** Where it is left out, or gives nothing, the task's own words count, and the time of its last move. */
  readonly why?: (story: TaskStory) => string | undefined;
  readonly since?: (story: TaskStory) => Instant | undefined;
}

const AT_WORK =
  "its pull request is linked when there is one; /explain says where it is meanwhile, and /cancel ends the run";
const LEAVE = "nothing has to be done; /cancel takes it out of the train";
const RETRY = "say /retry, or move its card to Ready again";

const IN_TRAIN = {
  passes: true,
  why: ({ entry }: TaskStory) => entry?.reason,
  since: ({ entry }: TaskStory) => entry?.changedAt,
} as const;

const STANDING_TRAIN = {
  next: "",
  passes: false,
  why: ({ train }: TaskStory) => train && wordStanding(train),
  since: ({ train }: TaskStory) => train?.changedAt,
} as const;

export const WHEREABOUTS: Readonly<Record<Whereabouts, WhereaboutsWords>> = {
  waiting: { label: "waiting", next: "", passes: false },
  blocked: {
    label: "blocked",
    next: "put right what it says; it is looked at again when that changes",
    passes: false,
  },
  starting: {
    label: "starting",
    next: AT_WORK,
    passes: true,
    why: ({ run }) => run && `${whoRuns(run)} starts`,
    since: ({ run }) => run?.queuedAt,
  },
  running: {
    label: "running",
    next: AT_WORK,
    passes: true,
    why: ({ run }) => run && `${whoRuns(run)} is at work`,
    since: ({ run }) => run?.startedAt,
  },
  verifying: {
    label: "verifying",
    next: AT_WORK,
    passes: true,
    why: ({ run }) =>
      run && `${whoRuns(run)} has ended: its change is checked, verified and pushed`,
    since: ({ run }) => run?.agentEndedAt ?? run?.finishedAt,
  },
  exploring: {
    label: "exploring",
    next: "/explain says how far it is; /cancel stops it, and takes the best so far",
    passes: true,
    why: (story) => whyExploring(story),
    since: (story) => presentExploring(story)?.exploration.openedAt,
  },
  review: {
    label: "in review",
    next: "approve the pull request and it lands; request changes and a run works on them",
    passes: false,
  },
  rework: {
    label: "to be revised",
    next: "nothing has to be done",
    passes: false,
    why: ({ task }) =>
      task.rework &&
      `${REWORK[task.rework.kind]} on #${task.pull ?? 0}: a run follows when a slot is free`,
  },
  "train-queued": { ...IN_TRAIN, label: "queued", next: LEAVE },
  "train-verifying": { ...IN_TRAIN, label: "landing check", next: LEAVE },
  "train-verified": { ...IN_TRAIN, label: "verified", next: LEAVE },
  "train-landing": { ...IN_TRAIN, label: "landing", next: "nothing has to be done" },
  "train-paused": { ...STANDING_TRAIN, label: "train paused" },
  "train-halted": { ...STANDING_TRAIN, label: "train halted" },
  landed: { label: "landed", next: "", passes: false },
  failed: { label: "given up", next: RETRY, passes: false },
  cancelled: { label: "cancelled", next: RETRY, passes: false },
};

/** Says where a task is, why, and what makes it go on. */
export function reasonOf(story: TaskStory): TaskReason {
  const { task, run, train } = story;
  const whereabouts = whereaboutsOf(story);
  const words = WHEREABOUTS[whereabouts];
  const why = words.why?.(story) ?? "";
  return {
    whereabouts,
    since: words.since?.(story) ?? task.changedAt,
    until: GOES_ON.has(whereabouts) ? task.notBefore : undefined,
    why: why.trim() === "" ? task.reason : why,
    next: nextOf(whereabouts, story),
    logPath: (train?.state === "halted" ? train : run)?.logPath,
  };
}

/** A pause of a task ends by itself only here. */
const GOES_ON: ReadonlySet<Whereabouts> = new Set(["waiting", "review", "rework"]);

/** Says why, and when it goes on by itself. */
export function whyAt({ why, until }: Pick<TaskReason, "why" | "until">, now: number): string {
  if (until === undefined || until <= now) return why;
  return `${why} (in ${formatDuration(until - now)})`;
}

/** The steps of a run and of a landing are worth no write each: they have the reason for which they began. */
export function lastingReason(story: TaskStory): string {
  const { whereabouts, why } = reasonOf(story);
  return WHEREABOUTS[whereabouts].passes ? story.task.reason : why;
}

function whereaboutsOf(story: TaskStory): Whereabouts {
  const { task, run } = story;
  switch (task.state) {
    case "running":
      return explores(task.spec) && run?.rework === undefined ? "exploring" : runWhereabouts(run);
    case "review":
      return task.rework === undefined ? "review" : "rework";
    case "queued":
      return trainWhereabouts(story);
    case "waiting":
    case "blocked":
    case "landed":
    case "failed":
    case "cancelled":
      return task.state;
    default:
      return assertNever(task.state);
  }
}

function runWhereabouts(run: Run | undefined): Exclude<RunWhereabouts, "exploring"> {
  if (run === undefined || run.state === "queued") return "starting";
  return run.state === "finished" || run.agentEndedAt !== undefined ? "verifying" : "running";
}

function trainWhereabouts({ entry, train }: TaskStory): TrainWhereabouts {
  const step = BY_ENTRY[entry?.state ?? "queued"];
  if (step !== "train-queued" || train === undefined) return step;
  switch (train.state) {
    case "running":
      return step;
    case "paused":
      return "train-paused";
    case "halted":
      return "train-halted";
    default:
      return assertNever(train.state);
  }
}

/** An entry that has ended is about to be followed by another one, or by another state of its task. */
const BY_ENTRY: Readonly<Record<EntryState, TrainWhereabouts>> = {
  queued: "train-queued",
  verifying: "train-verifying",
  verified: "train-verified",
  landing: "train-landing",
  landed: "train-landing",
  rejected: "train-queued",
  superseded: "train-queued",
};

const REWORK: Readonly<Record<ReworkKind, string>> = {
  review: "changes are requested",
  checks: "checks fail",
};

function whoRuns({ runner, attempt, contender }: Run): string {
  const which = contender === 1 ? "" : `, contender ${contender}`;
  return `${runner} (attempt ${attempt}${which})`;
}

function whyExploring(story: TaskStory): string {
  const present = presentExploring(story);
  if (present !== undefined) return wordProgress(present.exploration, present.runs);
  return isContestTask(story.task)
    ? "it begins"
    : "it begins: the ideas are read, and the base is scored";
}

function nextOf(whereabouts: Whereabouts, { task }: TaskStory): string {
  const { next } = WHEREABOUTS[whereabouts];
  // Where nobody has accepted what the issue says, someone with write access has to.
  if (whereabouts === "blocked" && task.spec.invalid?.code === "untrusted")
    return "someone with write access accepts it as it is then: move the card to Ready, or say /retry";
  if (whereabouts === "exploring" && isContestTask(task)) return AT_WORK;
  if (next === RETRY && isObjective(task))
    return "say /retry, or take the label off and put it on again";
  return next;
}
