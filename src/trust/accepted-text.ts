import type { ReadCard } from "../board/decide-intake.ts";
import type { Gesture } from "../domain/provenance.ts";
import type { Task, TaskSpec } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";

/** What a gesture stands for: the words, not what labels and relations say. */
export function textHash({ title, body }: Pick<TaskSpec, "title" | "body">): string {
  return digest({ title, body });
}

/** The card as somebody with the right to it wants it done. */
export function acceptedCard(read: ReadCard, { by, at }: Gesture): ReadCard {
  return { ...read, accepted: { by, at, text: textHash(read.spec) } };
}

export function heldCard(read: ReadCard, reason: string, task: Task | undefined): ReadCard {
  return { ...read, ...heldSpec(read, reason, task) };
}

/**
 * What a task says while nobody trusted stands behind it: it cannot run, and what was accepted before, if anything, stays beside
 * what the issue says now.
 */
export function heldSpec(
  says: Pick<ReadCard, "spec">,
  reason: string,
  task: Task | undefined,
): Pick<ReadCard, "spec" | "specHash"> {
  const invalid = { code: "untrusted", reason } as const;
  const { title, body } = says.spec;
  const offered = isSameText(says, task) ? undefined : { title, body };
  const spec: TaskSpec =
    task?.acceptedText === undefined
      ? { ...says.spec, invalid }
      : { ...task.spec, invalid, offered };
  return { spec, specHash: digest(spec) };
}

export function isSameText({ spec }: Pick<ReadCard, "spec">, task: Task | undefined): boolean {
  return task?.acceptedText !== undefined && task.acceptedText === textHash(spec);
}

/** It waits for somebody to accept what it says now. */
export function isHeld({ spec }: Pick<Task, "spec">): boolean {
  return spec.invalid?.code === "untrusted";
}
