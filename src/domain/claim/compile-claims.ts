import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { foldedForms, foldPattern } from "../glob/fold-case.ts";
import { MAX_ALTERNATIVES_PER_TASK, MAX_PLANNED_EXCLUSIONS } from "../glob/limits.ts";
import type { PathPattern } from "../glob/path-pattern.ts";
import { areaOf, isWithin, NO_AREA } from "./area.ts";
import type { Area } from "./area.ts";
import type { ClaimRules } from "./claim-rules.ts";
import type { Claim } from "./claim.ts";
import {
  claimedPaths,
  excludedPaths,
  exclusionProblem,
  readPattern,
  widenedPattern,
} from "./compile-pattern.ts";
import type { IsDirectory, ReadPattern } from "./compile-pattern.ts";

/** Says why a task's claims go together with nobody's. */
export type ClaimsAlone =
  | { readonly kind: "no-writes" }
  | { readonly kind: "barrier"; readonly pattern: string }
  | { readonly kind: "unreadable"; readonly pattern: string; readonly reason: string };

/** These claims are prepared for comparing with another task's; letter case is folded, shared files are left out. */
export interface CompiledClaims {
  readonly alone: ClaimsAlone | undefined;
  readonly writes: readonly PathPattern[];
  readonly reads: readonly PathPattern[];
  readonly exclusions: Area;
}

/** This is one claim with the paths that it stands for. */
export interface ClaimedPaths {
  readonly claim: Claim;
  readonly paths: readonly PathPattern[];
}

interface ReadClaim {
  readonly claim: Claim;
  readonly read: ReadPattern;
}

type Unreadable = Extract<ClaimsAlone, { kind: "unreadable" }>;

export function compileClaims(
  claims: readonly Claim[],
  rules: ClaimRules,
  maxAlternatives = MAX_ALTERNATIVES_PER_TASK,
): CompiledClaims {
  const read = readClaims(claims, maxAlternatives);
  const listed = read.ok ? listPaths(read.value, rules.isDirectory) : read;
  if (!listed.ok) return { alone: listed.error, writes: [], reads: [], exclusions: NO_AREA };
  const folded = listed.value.map(foldClaim);
  const excluded = pathsOf(folded, "except");
  const exclusions = excluded.length > MAX_PLANNED_EXCLUSIONS ? NO_AREA : areaOf(excluded);
  const keep = (path: PathPattern): boolean =>
    !isWithin(path, exclusions) && !isWithin(path, rules.shared);
  return {
    alone: aloneReason(folded, rules.barrier),
    writes: pathsOf(folded, "write").filter(keep),
    reads: pathsOf(folded, "read").filter(keep),
    exclusions,
  };
}

/** Lists every claim with its paths, or fails with the first that cannot be read. */
export function listClaimedPaths(
  claims: readonly Claim[],
  isDirectory: IsDirectory | undefined,
): Result<readonly ClaimedPaths[], Unreadable> {
  const read = readClaims(claims, MAX_ALTERNATIVES_PER_TASK);
  return read.ok ? listPaths(read.value, isDirectory) : read;
}

function readClaims(claims: readonly Claim[], max: number): Result<ReadClaim[], Unreadable> {
  const read: ReadClaim[] = [];
  for (const claim of claims) {
    const pattern = readPattern(claim.pattern);
    if (!pattern.ok) return fail(unreadable(claim, pattern.error));
    const problem = exclusionProblem(claim.mode, pattern.value);
    if (problem !== undefined) return fail(unreadable(claim, problem));
    read.push({ claim, read: pattern.value });
  }
  return ok(widenLargest(read, max));
}

/** Widens the claims that stand for the most alternatives until the rest fit. */
function widenLargest(read: readonly ReadClaim[], max: number): ReadClaim[] {
  const count = ({ read: { alternatives } }: ReadClaim): number =>
    alternatives === Infinity ? 1 : alternatives;
  let total = read.reduce((sum, entry) => sum + count(entry), 0);
  if (total <= max) return [...read];
  const largest = read.filter(({ claim }) => claim.mode !== "except");
  largest.sort((a, b) => count(b) - count(a));
  const widened = new Set<ReadClaim>();
  for (const entry of largest) {
    if (total <= max) break;
    total -= count(entry) - 1;
    widened.add(entry);
  }
  return read.map((entry) =>
    widened.has(entry) ? { claim: entry.claim, read: widenedPattern(entry.read) } : entry,
  );
}

function listPaths(
  read: readonly ReadClaim[],
  isDirectory: IsDirectory | undefined,
): Result<readonly ClaimedPaths[], Unreadable> {
  const listed: ClaimedPaths[] = [];
  for (const { claim, read: pattern } of read) {
    const paths =
      claim.mode === "except" ? excludedPaths(pattern) : claimedPaths(pattern, isDirectory);
    if (!paths.ok) return fail(unreadable(claim, paths.error));
    listed.push({ claim, paths: paths.value });
  }
  return ok(listed);
}

function foldClaim({ claim, paths }: ClaimedPaths): ClaimedPaths {
  return {
    claim,
    paths: claim.mode === "except" ? paths.map(foldPattern) : paths.flatMap(foldedForms),
  };
}

function pathsOf(listed: readonly ClaimedPaths[], mode: Claim["mode"]): PathPattern[] {
  return listed.flatMap(({ claim, paths }) => (claim.mode === mode ? paths : []));
}

function aloneReason(folded: readonly ClaimedPaths[], barrier: Area): ClaimsAlone | undefined {
  const writes = folded.filter(({ claim }) => claim.mode === "write");
  if (writes.length === 0) return { kind: "no-writes" };
  const named = writes.find(({ paths }) => paths.some((path) => isWithin(path, barrier)));
  return named && { kind: "barrier", pattern: named.claim.pattern };
}

function unreadable({ pattern }: Claim, reason: string): Unreadable {
  return { kind: "unreadable", pattern, reason };
}
