import { spentBy } from "../../domain/budget.ts";
import type { Spent } from "../../domain/budget.ts";
import { taskIdOf } from "../../domain/ids.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { SubIssue } from "../../domain/objective.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";

/** It is only as fine as a person needs, because every change of it edits a comment. */
export type PartState = "backlog" | "at-work" | "landed" | "given-up" | "dropped";

/** This is one sub-issue of an objective. */
export interface Part {
  readonly id: TaskId;
  readonly title: string;
  readonly state: PartState;
  /** Attempts and spending are counted for parts that have ended. They are zero for the others, so that the end of a run edits no comment. */
  readonly attempts: number;
  readonly spent: Spent;
}

export function partOf(
  issue: SubIssue,
  { task, runs }: { readonly task: Task | undefined; readonly runs: readonly Run[] },
): Part {
  const state = stateOf(issue, task);
  const hasEnded = state === "landed" || state === "given-up";
  const own = hasEnded ? runs.filter((run) => run.task === task?.id) : [];
  const now = Math.max(0, ...own.flatMap(({ finishedAt }) => finishedAt ?? []));
  return {
    id: taskIdOf(issue.repo, issue.number),
    title: issue.title,
    state,
    attempts: new Set(own.map(({ attempt }) => attempt)).size,
    spent: spentBy(own, { from: 0, now }),
  };
}

function stateOf({ state }: SubIssue, task: Task | undefined): PartState {
  if (state === "completed" || task?.state === "landed") return "landed";
  if (state === "not-planned") return "dropped";
  if (task === undefined || task.state === "cancelled") return "backlog";
  return task.state === "failed" ? "given-up" : "at-work";
}

/** Says that nothing is left to do, and something was done. */
export function isReached(parts: readonly Part[]): boolean {
  const left = parts.filter(({ state }) => state !== "landed" && state !== "dropped");
  return left.length === 0 && parts.some(({ state }) => state === "landed");
}
