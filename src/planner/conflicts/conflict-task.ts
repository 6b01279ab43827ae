import { claimRules } from "../../domain/claim/claim-rules.ts";
import type { ClaimRules } from "../../domain/claim/claim-rules.ts";
import { claimsConflict } from "../../domain/claim/claims-conflict.ts";
import { compileClaims } from "../../domain/claim/compile-claims.ts";
import type { ClaimsAlone, CompiledClaims } from "../../domain/claim/compile-claims.ts";
import { literalPrefix } from "../../domain/glob/path-pattern.ts";
import type { PathPattern } from "../../domain/glob/path-pattern.ts";
import { commonPath } from "../../domain/glob/patterns-meet.ts";
import type { PlannableTask } from "../../domain/plan.ts";

export type ClaimingTask = Pick<PlannableTask, "claims" | "exclusive" | "parallelSafe">;

/** Says why a task runs alone in its repository. */
export type AloneReason =
  ClaimsAlone | { readonly kind: "exclusive" } | { readonly kind: "not-parallel-safe" };

/** Holds a task's claims, ready to compare. It depends only on `claims`, `exclusive`, `parallelSafe` and the rules. */
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

export function aloneReason(task: ClaimingTask): AloneReason | undefined {
  if (task.exclusive) return { kind: "exclusive" };
  return task.parallelSafe ? undefined : { kind: "not-parallel-safe" };
}

export function tasksConflict(a: CompiledTask, b: CompiledTask): TaskConflict | undefined {
  const example = claimsConflict(a.claims, b.claims);
  if (example !== undefined) return { example };
  return a.alone || b.alone ? { example: anyPath(a) ?? anyPath(b) } : undefined;
}

/**
 * Finds a path that two conflicting tasks may both touch. Where there were too many patterns to compare, they count as
 * claiming a whole directory: the example is then a path that one of the tasks claims below it.
 */
export function conflictExample(a: CompiledTask, b: CompiledTask): string | undefined {
  const conflict = tasksConflict(a, b);
  return conflict ? conflict.example : (pathOfDeeper(a, b) ?? anyPath(a));
}

function pathOfDeeper(
  { claims: a }: CompiledTask,
  { claims: b }: CompiledTask,
): string | undefined {
  for (const x of [...a.writes, ...a.reads]) {
    for (const y of [...b.writes, ...b.reads]) {
      if (startsLike(x, y)) return commonPath(y, y);
      if (startsLike(y, x)) return commonPath(x, x);
    }
  }
  return undefined;
}

function startsLike(short: PathPattern, long: PathPattern): boolean {
  const names = literalPrefix(long);
  return literalPrefix(short).every((name, i) => name === names[i]);
}

function anyPath({ claims }: CompiledTask): string | undefined {
  const pattern = claims.writes[0] ?? claims.reads[0];
  return pattern && commonPath(pattern, pattern);
}
