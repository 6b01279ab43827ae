import { reasonOf } from "../../domain/story/reason-of.ts";
import type { TaskReason } from "../../domain/story/reason-of.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";

/** This is one task as people see it during a trial; its reason uses the ids of the task file. */
export interface TaskView extends Pick<TaskReason, "whereabouts" | "since" | "until" | "why"> {
  readonly title: string;
}

export function viewOf(story: TaskStory): TaskView {
  const { whereabouts, since, until, why } = reasonOf(story);
  return { title: story.task.spec.title, whereabouts, since, until, why };
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
