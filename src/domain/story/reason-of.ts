import { assertNever } from "../../shared/assert-never.ts";
import type { EntryState } from "../entry.ts";
import type { Instant } from "../ids.ts";
import { isObjective } from "../objective.ts";
import type { ReworkKind, Run } from "../run.ts";
import type { TaskState } from "../task.ts";
import { wordStanding } from "../train.ts";
import type { TaskStory } from "./task-story.ts";

/** Says where a task is as people see it. It is finer than the task's state: a run is followed, and so is the way through the train. */
export type Whereabouts =
  | Exclude<TaskState, "running" | "review" | "queued">
  | RunWhereabouts
  | "review"
  | "rework"
  | TrainWhereabouts;

type RunWhereabouts = "starting" | "running" | "verifying";

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
}

const AT_WORK =
  "its pull request is linked when there is one; /explain says where it is meanwhile, and /cancel ends the run";
const IN_TRAIN = "nothing has to be done; /cancel takes it out of the train";
const RETRY = "say /retry, or move its card to Ready again";

export const WHEREABOUTS: Readonly<Record<Whereabouts, WhereaboutsWords>> = {
  waiting: { label: "waiting", next: "", passes: false },
  blocked: {
    label: "blocked",
    next: "put the issue right; it is read again when it changes",
    passes: false,
  },
  starting: { label: "starting", next: AT_WORK, passes: true },
  running: { label: "running", next: AT_WORK, passes: true },
  verifying: { label: "verifying", next: AT_WORK, passes: true },
  review: {
    label: "in review",
    next: "approve the pull request and it lands; request changes and a run works on them",
    passes: false,
  },
  rework: { label: "to be revised", next: "nothing has to be done", passes: false },
  "train-queued": { label: "queued", next: IN_TRAIN, passes: true },
  "train-verifying": { label: "verifying to land", next: IN_TRAIN, passes: true },
  "train-verified": { label: "verified", next: IN_TRAIN, passes: true },
  "train-landing": { label: "landing", next: "nothing has to be done", passes: true },
  "train-paused": { label: "train paused", next: "", passes: false },
  "train-halted": { label: "train halted", next: "", passes: false },
  landed: { label: "landed", next: "", passes: false },
  failed: { label: "given up", next: RETRY, passes: false },
  cancelled: { label: "cancelled", next: RETRY, passes: false },
};

/** Says where a task is, why, and what makes it go on. */
export function reasonOf(story: TaskStory): TaskReason {
  const whereabouts = whereaboutsOf(story);
  return {
    whereabouts,
    since: sinceOf(whereabouts, story),
    why: whyOf(whereabouts, story),
    next: nextOf(whereabouts, story),
    logPath: (story.train?.state === "halted" ? story.train : story.run)?.logPath,
  };
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
      return runWhereabouts(run);
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

function runWhereabouts(run: Run | undefined): RunWhereabouts {
  if (run === undefined || run.state === "queued") return "starting";
  // When all contenders have ended, the best of them is chosen and pushed.
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

function sinceOf(whereabouts: Whereabouts, { task, run, entry, train }: TaskStory): Instant {
  switch (whereabouts) {
    case "starting":
      return run?.queuedAt ?? task.changedAt;
    case "running":
      return run?.startedAt ?? task.changedAt;
    case "verifying":
      return run?.agentEndedAt ?? run?.finishedAt ?? task.changedAt;
    case "train-queued":
    case "train-verifying":
    case "train-verified":
    case "train-landing":
      return entry?.changedAt ?? task.changedAt;
    case "train-paused":
    case "train-halted":
      return train?.changedAt ?? task.changedAt;
    case "waiting":
    case "blocked":
    case "review":
    case "rework":
    case "landed":
    case "failed":
    case "cancelled":
      return task.changedAt;
    default:
      return assertNever(whereabouts);
  }
}

function whyOf(whereabouts: Whereabouts, { task, run, entry, train }: TaskStory): string {
  switch (whereabouts) {
    case "starting":
      return run === undefined ? task.reason : `${whoRuns(run)} starts`;
    case "running":
      return run === undefined ? task.reason : `${whoRuns(run)} is at work`;
    case "verifying":
      return run === undefined
        ? task.reason
        : `${whoRuns(run)} has ended: its change is checked, verified and pushed`;
    case "rework":
      return `${REWORK[task.rework?.kind ?? "review"]}${task.pull === undefined ? "" : ` on #${task.pull}`}: a run follows when a slot is free`;
    case "train-queued":
    case "train-verifying":
    case "train-verified":
    case "train-landing":
      return entry === undefined || entry.reason.trim() === "" ? task.reason : entry.reason;
    case "train-paused":
    case "train-halted":
      return train === undefined ? task.reason : wordStanding(train);
    case "waiting":
    case "blocked":
    case "review":
    case "landed":
    case "failed":
    case "cancelled":
      return task.reason;
    default:
      return assertNever(whereabouts);
  }
}

const REWORK: Readonly<Record<ReworkKind, string>> = {
  review: "changes are requested",
  checks: "checks fail",
};

function whoRuns({ runner, attempt, contender }: Run): string {
  const which = contender === 1 ? "" : `, contender ${contender}`;
  return `${runner} (attempt ${attempt}${which})`;
}

function nextOf(whereabouts: Whereabouts, { task }: TaskStory): string {
  const { next } = WHEREABOUTS[whereabouts];
  // Where nobody has accepted what the issue says, someone with write access has to.
  if (whereabouts === "blocked" && task.spec.invalid?.code === "untrusted")
    return "someone with write access accepts it as it is then: move the card to Ready, or say /retry";
  if (next === RETRY && isObjective(task))
    return "say /retry, or take the label off and put it on again";
  return next;
}
