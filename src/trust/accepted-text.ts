import type { Gesture } from "../domain/provenance.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Task, TaskSpec } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";

/** A gesture stands for the words, not for labels and relations. */
export function textHash({ title, body }: Pick<TaskSpec, "title" | "body">): string {
  return digest({ title, body });
}

/** Returns the card as somebody with the right to it wants it done. */
export function acceptedCard(read: ReadCard, { by, at }: Gesture): ReadCard {
  return { ...read, accepted: { by, at, text: textHash(read.spec) } };
}

export function heldCard(read: ReadCard, reason: string, task: Task | undefined): ReadCard {
  return { ...read, ...heldSpec(read, reason, task) };
}

/**
 * Returns the spec of a task while nobody trusted stands behind it: it cannot run, and words that were accepted before, if any, stay beside
 * those that the issue has now.
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

/** Tells whether the task waits for somebody to accept its present words. */
export function isHeld({ spec }: Pick<Task, "spec">): boolean {
  return spec.invalid?.code === "untrusted";
}
