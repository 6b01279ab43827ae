import type { Card, IssueRef, IssueState } from "./board.ts";
import { taskId } from "./ids.ts";
import type { RepoName, TaskId } from "./ids.ts";
import type { Task } from "./task.ts";

/** A sub-issue is part of an objective, as GitHub lists it. */
export interface SubIssue extends IssueRef {
  readonly title: string;
  readonly state: IssueState;
}

/** This is an open issue with the objective's label; its card is `ready` since the label was put on. */
export interface ObjectiveIssue {
  readonly card: Card;
  readonly subIssues: readonly SubIssue[];
}

/** This is not the issue's own id: that one stands for the objective as a whole, which is not done when it is broken into tasks. */
export function objectiveTaskId(repo: RepoName, issue: number): TaskId {
  return taskId(`${repo}#${issue}.objective`);
}

export function isObjective({ spec }: Pick<Task, "spec">): boolean {
  return spec.kind === "objective";
}
