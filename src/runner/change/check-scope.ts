import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { claimRules } from "../../domain/claim/claim-rules.ts";
import type { ClaimRules } from "../../domain/claim/claim-rules.ts";
import type { Claim } from "../../domain/claim/claim.ts";
import { compileClaims } from "../../domain/claim/compile-claims.ts";
import { knownDirectory } from "../../domain/claim/compile-pattern.ts";
import {
  compileScope,
  isBarrierPath,
  isSharedPath,
  pathAllowed,
  pathTouches,
} from "../../domain/claim/scope.ts";
import { claimsOf, holdsClaims } from "../../domain/task.ts";
import type { ClaimHold, Task } from "../../domain/task.ts";

export interface ScopeQuestion {
  readonly task: Task;
  /** These are all paths of the diff. */
  readonly paths: readonly string[];
  /** These are the repository's tasks, including this one. */
  readonly tasks: readonly Task[];
  readonly holds: readonly ClaimHold[];
  readonly config: Pick<RepoConfig, "scope" | "barriers" | "shared">;
  /** These are the directories of the commit that the run started from. */
  readonly directories: ReadonlySet<string>;
}

export type ScopeAnswer =
  /** `outside` lists paths that were changed although not declared, to which nobody objects. */
  | { readonly kind: "accepted"; readonly outside: readonly string[] }
  | { readonly kind: "refused"; readonly outside: readonly string[] };

/** Compares a diff with the task's claims, using the matcher that planned the task. */
export function checkScope(question: ScopeQuestion): ScopeAnswer {
  const { task, tasks, holds, config } = question;
  const rules = rulesOf(question);
  const outside = pathsOutside(task.spec.claims, question.paths, rules);
  if (outside.length === 0 || config.scope === "allow") return { kind: "accepted", outside };
  if (config.scope === "reject") return { kind: "refused", outside };
  const others = tasks.filter((other) => other.id !== task.id && holdsClaims(other.state));
  const taken = outside.filter((path) =>
    others.some((other) => minds(claimsOf(other, holds), path, rules)),
  );
  return taken.length === 0 ? { kind: "accepted", outside } : { kind: "refused", outside: taken };
}

function rulesOf({ config, directories }: ScopeQuestion): ClaimRules {
  const isDirectory = knownDirectory(directories);
  return claimRules({ barrier: config.barriers, shared: config.shared, isDirectory });
}

/** A task that declared nothing runs alone and may write anything. */
function pathsOutside(
  claims: readonly Claim[],
  paths: readonly string[],
  rules: ClaimRules,
): readonly string[] {
  const scope = compileScope(claims, rules.isDirectory);
  if (!scope.ok || scope.value.writes.length === 0) return [];
  return paths.filter((path) => !pathAllowed(scope.value, path) && !isSharedPath(path, rules));
}

/** A barrier file changes how git or the checks treat everybody's files, so every task at work objects to a change of it. */
function minds(claims: readonly Claim[], path: string, rules: ClaimRules): boolean {
  return isBarrierPath(path, rules) || pathTouches(compileClaims(claims, rules), path);
}
