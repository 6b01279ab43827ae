import type { Result } from "../../shared/result.ts";
import { ok } from "../../shared/result.ts";
import type { Claim } from "../claim.ts";
import type { Area } from "./area.ts";
import { areaCovers, areaOf, isWithin } from "./area.ts";
import type { ClaimRules } from "./claim-rules.ts";
import type { ClaimsAlone, CompiledClaims } from "./compile-claims.ts";
import { listClaimedPaths } from "./compile-claims.ts";
import type { IsDirectory } from "./compile-pattern.ts";
import { foldText } from "./fold-case.ts";
import type { PathPattern } from "./path-pattern.ts";
import { foldPattern } from "./fold-pattern.ts";
import { patternCovers, patternsMeet } from "./patterns-meet.ts";

/** What a task may write, for checking the paths of a diff. */
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

/** Whether a task may write a path of a diff. Exact; only exclusions ignore letter case. */
export function pathAllowed(scope: Scope, path: string): boolean {
  const names = namesOf(path);
  if (!names || !scope.writes.some((pattern) => patternCovers(pattern, names))) return false;
  return !areaCovers(scope.exclusions, names.map(foldText));
}

/** Whether writing a path would get in the way of a task that claims something there, above or below it. */
export function pathTouches(claims: CompiledClaims, path: string): boolean {
  const names = namesOf(path)?.map(foldText);
  if (!names || claims.alone) return true;
  const file: PathPattern = { blocks: [names] };
  if (isWithin(file, claims.exclusions)) return false;
  return [...claims.writes, ...claims.reads].some((pattern) => patternsMeet(pattern, file));
}

/** Whether two written paths cannot both be in one tree: the same path, or one a directory of the other. */
export function pathsCollide(a: string, b: string): boolean {
  const foldedA = `${foldText(a.normalize("NFC"))}/`;
  const foldedB = `${foldText(b.normalize("NFC"))}/`;
  return foldedA.startsWith(foldedB) || foldedB.startsWith(foldedA);
}

export function isSharedPath(path: string, { shared }: ClaimRules): boolean {
  return areaCovers(shared, namesOf(path)?.map(foldText) ?? []);
}

export function isBarrierPath(path: string, { barrier }: ClaimRules): boolean {
  return areaCovers(barrier, namesOf(path)?.map(foldText) ?? []);
}

/** A path of a tree, as git writes it; nothing for anything else. */
function namesOf(path: string): string[] | undefined {
  const names = path.normalize("NFC").split("/");
  const isPlain = names.every((name) => name !== "" && name !== "." && name !== "..");
  return isPlain ? names : undefined;
}
