import type { Run } from "../../domain/run.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import { clockText } from "../text/timeline.ts";

/** A run whose agent has ended is being verified: its task is still running for the store, but not for who looks on. */
export type Phase = TaskState | "verifying";

/** This is one task as people see it during a trial. */
export interface TaskView {
  readonly title: string;
  readonly phase: Phase;
  /** It uses the ids of the task file. */
  readonly reason: string;
  readonly since: number;
  /** It goes on by itself then, if this is in the future. */
  readonly notBefore: number | undefined;
}

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  waiting: "waiting",
  blocked: "blocked",
  running: "running",
  verifying: "verifying",
  review: "in review",
  queued: "queued",
  landed: "landed",
  failed: "failed",
  cancelled: "cancelled",
};

export interface Circumstances {
  /** This is the task's latest run. */
  readonly run: Run | undefined;
  /** Its change is being verified on top of the base since then. */
  readonly onBaseSince: number | undefined;
  readonly verify: string | undefined;
}

export function viewOf(task: Task, { run, onBaseSince, verify }: Circumstances): TaskView {
  const { state, reason, changedAt, notBefore, spec } = task;
  const view = { title: spec.title, phase: state, reason, since: changedAt, notBefore };
  const endedAt = run?.state === "running" ? run.agentEndedAt : undefined;
  if (state === "running" && endedAt !== undefined) {
    const what = verify === undefined ? "being proposed" : `being verified: ${verify}`;
    const words = `its agent has ended; its change is ${what}`;
    return { ...view, phase: "verifying", reason: words, since: endedAt };
  }
  if (state === "queued" && onBaseSince !== undefined) {
    return { ...view, reason: "being verified with what is there", since: onBaseSince };
  }
  return view;
}

/** Says the reason, and when it goes on by itself. */
export function reasonAt({ reason, notBefore }: TaskView, now: number): string {
  if (notBefore === undefined || notBefore <= now) return reason;
  return `${reason} (in ${clockText(notBefore - now)})`;
}

/** Names tasks as people did, in a repository whose issues they became. */
export interface Names {
  readonly repo: string;
  /** The key is the number of the issue. */
  readonly byNumber: ReadonlyMap<number, string>;
}

/** Writes the names that people gave to tasks in the place of their issues' numbers. Pull requests keep theirs. */
export function withNames(text: string, { repo, byNumber }: Names): string {
  const pattern = /(?<![\w/&#.-])([\w.-]+\/[\w.-]+)?#(\d{1,9})(?![\w-])/g;
  return text.replace(pattern, (all, prefix: string | undefined, digits: string) =>
    prefix === undefined || prefix === repo ? (byNumber.get(Number(digits)) ?? all) : all,
  );
}
