import type { ClaimRules } from "../domain/claim/claim-rules.ts";
import { claimRules } from "../domain/claim/claim-rules.ts";
import { claimsConflict } from "../domain/claim/claims-conflict.ts";
import type { ClaimsAlone, CompiledClaims } from "../domain/claim/compile-claims.ts";
import { compileClaims } from "../domain/claim/compile-claims.ts";
import { commonPath } from "../domain/claim/patterns-meet.ts";
import type { PlannableTask } from "../domain/plan.ts";

export type ClaimingTask = Pick<PlannableTask, "claims" | "exclusive" | "parallelSafe">;

/** Why a task runs alone in its repository. */
export type AloneReason =
  ClaimsAlone | { readonly kind: "exclusive" } | { readonly kind: "not-parallel-safe" };

/** A task's claims, ready to compare. A function of `claims`, `exclusive`, `parallelSafe` and the rules. */
export interface CompiledTask {
  readonly alone: AloneReason | undefined;
  readonly claims: CompiledClaims;
}

/** `example` is a path that both may touch; a task that runs alone may touch any. */
export interface TaskConflict {
  readonly example: string | undefined;
}

export function compileTask(task: ClaimingTask, rules: ClaimRules = claimRules()): CompiledTask {
  const claims = compileClaims(task.claims, rules);
  return { alone: aloneReason(task) ?? claims.alone, claims };
}

export function tasksConflict(a: CompiledTask, b: CompiledTask): TaskConflict | undefined {
  const example = claimsConflict(a.claims, b.claims);
  if (example !== undefined) return { example };
  return a.alone || b.alone ? { example: anyPath(a) ?? anyPath(b) } : undefined;
}

export function aloneReason(task: ClaimingTask): AloneReason | undefined {
  if (task.exclusive) return { kind: "exclusive" };
  return task.parallelSafe ? undefined : { kind: "not-parallel-safe" };
}

export function anyPath({ claims }: CompiledTask): string | undefined {
  const pattern = claims.writes[0] ?? claims.reads[0];
  return pattern && commonPath(pattern, pattern);
}
