import type { Claim } from "./claim.ts";
import type { Instant, RunId, TaskId } from "./ids.ts";
import type { Task } from "./task.ts";

/** Claims of a task at work: taken all or nothing when its run is queued, held until the change has landed or is given up. */
export interface ClaimHold {
  readonly task: TaskId;
  readonly run: RunId;
  readonly claims: readonly Claim[];
  /** Tells this taking from every other in the repository; a later one has a higher number. */
  readonly fence: number;
  readonly takenAt: Instant;
}

/** What a task claims now: what it holds, or else what it declares. */
export function claimsOf(task: Task, holds: readonly ClaimHold[]): readonly Claim[] {
  return holds.find((hold) => hold.task === task.id)?.claims ?? task.spec.claims;
}

export function withClaims(held: readonly Claim[], add: readonly Claim[]): readonly Claim[] {
  const fresh = add.filter(
    ({ mode, pattern }) => !held.some((one) => one.mode === mode && one.pattern === pattern),
  );
  return [...held, ...fresh];
}
