import type { Run } from "./run.ts";
import type { Task } from "./task.ts";

export const CANDIDATE_REFS = "refs/wavetrain/candidates/";

/** Where the repository's mirror keeps what a candidate made. */
export function candidateRef(
  { issue }: Pick<Task, "issue">,
  { attempt, candidate }: Pick<Run, "attempt" | "candidate">,
): string {
  return `${CANDIDATE_REFS}${issue}/${attempt}/${candidate}`;
}
