import { plainName } from "../../shared/quote.ts";
import { foldedForms, foldPattern } from "../glob/fold-case.ts";
import type { PathPattern } from "../glob/path-pattern.ts";
import { patternsMeet } from "../glob/patterns-meet.ts";
import { areaOf, isWithin } from "./area.ts";
import type { Area } from "./area.ts";
import type { Claim } from "./claim.ts";
import { listClaimedPaths } from "./compile-claims.ts";
import { excludedPaths, readPattern } from "./compile-pattern.ts";
import type { IsDirectory } from "./compile-pattern.ts";

/** These parts of a repository no run can change, whatever its task claims. */
export interface OutOfReach {
  readonly submodules: readonly string[];
  /** Of two rules about one file the later counts. */
  readonly lfs: readonly LfsRule[];
}

/** Says of the files that a pattern names whether Git LFS keeps them. */
export interface LfsRule {
  readonly pattern: string;
  readonly kept: boolean;
}

/** The paths of one claim to write, letter case folded, without those that the task's other claims take out. */
export interface WrittenPaths {
  readonly claim: Claim;
  readonly paths: readonly PathPattern[];
}

/** Lists the claims to write that stand for any path. Claims that cannot be read are left to those who say so. */
export function writtenPaths(
  claims: readonly Claim[],
  isDirectory: IsDirectory | undefined,
): readonly WrittenPaths[] {
  const listed = listClaimedPaths(claims, isDirectory);
  if (!listed.ok) return [];
  const except = listed.value.filter(({ claim }) => claim.mode === "except");
  const excluded = areaOf(except.flatMap(({ paths }) => paths.map(foldPattern)));
  return listed.value
    .filter(({ claim }) => claim.mode === "write")
    .map(({ claim, paths }) => ({
      claim,
      paths: paths.flatMap(foldedForms).filter((path) => !isWithin(path, excluded)),
    }))
    .filter(({ paths }) => paths.length > 0);
}

/** Tells whether every path of the claim is in the area. */
export function isInside({ paths }: WrittenPaths, area: Area): boolean {
  return paths.every((path) => isWithin(path, area));
}

/** Makes an area of a path as git writes it, and everything below. */
export function areaBelow(path: string): Area {
  return areaOf([foldPattern({ blocks: [path.normalize("NFC").split("/"), []] })]);
}

/** Makes a function that names the rule by which Git LFS keeps every file of a claim. */
export function lfsRuleFor(
  rules: readonly LfsRule[],
): (written: WrittenPaths) => LfsRule | undefined {
  const read = rules.flatMap((rule) => {
    const paths = pathsOfRule(rule);
    return paths.length === 0 ? [] : [{ rule, paths, area: areaOf(paths) }];
  });
  return (written) => {
    const at = read.findLastIndex(({ rule, area }) => rule.kept && isInside(written, area));
    const isUndone = read
      .slice(at + 1)
      .some(({ rule, paths }) => !rule.kept && meets(written, paths));
    return isUndone ? undefined : read[at]?.rule;
  };
}

function pathsOfRule({ pattern }: LfsRule): readonly PathPattern[] {
  const read = readPattern(pattern);
  const paths = read.ok ? excludedPaths(read.value) : read;
  if (!paths.ok) return [];
  // Attributes are given to files: a name without a folder's mark does not stand for what is below it.
  const exact = pattern.endsWith("/**")
    ? paths.value
    : paths.value.map(({ blocks }) => ({ blocks: blocks.slice(0, -1) }));
  return exact.map(foldPattern);
}

function meets({ paths }: WrittenPaths, others: readonly PathPattern[]): boolean {
  return paths.some((path) => others.some((other) => patternsMeet(path, other)));
}

/** More names than these would fill the page. */
const MAX_NAMES = 5;

/** Says what a repository has of this, for people: a claim that is wholly inside is blocked, and whoever claims more has to know. */
export function wordOutOfReach({ submodules, lfs }: OutOfReach): readonly string[] {
  const kept = lfs.filter((rule) => rule.kept).map(({ pattern }) => pattern);
  return [
    ...(submodules.length === 0
      ? []
      : [`submodules (${named(submodules)}) are empty folders for runs, which cannot change them`]),
    ...(kept.length === 0
      ? []
      : [
          `files that Git LFS keeps (${named(kept)}) are pointers for runs, which must not change them`,
        ]),
  ];
}

/** Says which files of Git LFS are pointers for everybody. */
export function wordLacking(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `GitHub lacks the content of ${named(paths.map(plainName))}, which Git LFS keeps: runs see pointers there, until somebody who has it says git lfs push --all`,
  ];
}

function named(all: readonly string[]): string {
  const left = all.length - MAX_NAMES;
  return `${all.slice(0, MAX_NAMES).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
