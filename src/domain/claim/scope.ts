import { ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { foldText, foldPattern } from "../glob/fold-case.ts";
import type { PathPattern } from "../glob/path-pattern.ts";
import { patternCovers, patternsMeet } from "../glob/patterns-meet.ts";
import { areaCovers, areaOf, isWithin } from "./area.ts";
import type { Area } from "./area.ts";
import type { ClaimRules } from "./claim-rules.ts";
import type { Claim } from "./claim.ts";
import { listClaimedPaths } from "./compile-claims.ts";
import type { ClaimsAlone, CompiledClaims } from "./compile-claims.ts";
import type { IsDirectory } from "./compile-pattern.ts";

/** A task may write this; the paths of a diff are checked against it. */
export interface Scope {
  readonly writes: readonly PathPattern[];
  readonly exclusions: Area;
}

export function compileScope(
  claims: readonly Claim[],
  isDirectory?: IsDirectory,
): Result<Scope, ClaimsAlone> {
  const listed = listClaimedPaths(claims, isDirectory);
  if (!listed.ok) return listed;
  const paths = (mode: Claim["mode"]): PathPattern[] =>
    listed.value.flatMap((entry) => (entry.claim.mode === mode ? entry.paths : []));
  return ok({ writes: paths("write"), exclusions: areaOf(paths("except").map(foldPattern)) });
}

/** Tells exactly whether a task may write a path of a diff; only exclusions ignore letter case. */
export function pathAllowed(scope: Scope, path: string): boolean {
  const names = namesOf(path);
  if (!names || !scope.writes.some((pattern) => patternCovers(pattern, names))) return false;
  return !areaCovers(scope.exclusions, names.map(foldText));
}

/** Tells whether writing a path would get in the way of a task that claims something there, above or below it. */
export function pathTouches(claims: CompiledClaims, path: string): boolean {
  const names = namesOf(path)?.map(foldText);
  if (!names || claims.alone) return true;
  const file: PathPattern = { blocks: [names] };
  if (isWithin(file, claims.exclusions)) return false;
  return [...claims.writes, ...claims.reads].some((pattern) => patternsMeet(pattern, file));
}

export function isSharedPath(path: string, { shared }: ClaimRules): boolean {
  return areaCovers(shared, namesOf(path)?.map(foldText) ?? []);
}

export function isBarrierPath(path: string, { barrier }: ClaimRules): boolean {
  return areaCovers(barrier, namesOf(path)?.map(foldText) ?? []);
}

/** Splits a path of a tree, as git writes it; it returns nothing for anything else. */
function namesOf(path: string): string[] | undefined {
  const names = path.normalize("NFC").split("/");
  const isPlain = names.every((name) => name !== "" && name !== "." && name !== "..");
  return isPlain ? names : undefined;
}
