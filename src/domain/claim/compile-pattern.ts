import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { looksLikeFile } from "../glob/file-name.ts";
import { countAlternatives, expandChoices, DEEP, SLASH } from "../glob/glob-syntax.ts";
import type { GlobNode } from "../glob/glob-syntax.ts";
import {
  MAX_ALTERNATIVES,
  MAX_EXCLUSION_ALTERNATIVES,
  MAX_PATTERN_LENGTH,
} from "../glob/limits.ts";
import { parseGlob } from "../glob/parse-glob.ts";
import { ANY_NAME, isAnyName, literalPrefix } from "../glob/path-pattern.ts";
import type { PathPattern, Segment } from "../glob/path-pattern.ts";
import { writtenPath } from "../glob/written-path.ts";
import type { WrittenPath } from "../glob/written-path.ts";
import type { ClaimMode } from "./claim.ts";

/** Says what the base tree knows of a path: a directory, a file, or nothing. */
export type IsDirectory = (path: string) => boolean | undefined;

/** This pattern has been read but not yet expanded. */
export interface ReadPattern {
  readonly nodes: readonly GlobNode[];
  /** The number is infinite when the pattern can only be widened. */
  readonly alternatives: number;
}

export function readPattern(pattern: string): Result<ReadPattern, string> {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return fail(`longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const parsed = parseGlob(pattern);
  if (!parsed.ok) return parsed;
  const counted = countAlternatives(parsed.value);
  const alternatives = counted > MAX_ALTERNATIVES ? Infinity : counted;
  return ok({ nodes: parsed.value, alternatives });
}

/** Exclusions are never widened: a wider one would take out what was claimed. */
export function exclusionProblem(mode: ClaimMode, read: ReadPattern): string | undefined {
  const isTooMany = mode === "except" && read.alternatives > MAX_EXCLUSION_ALTERNATIVES;
  return isTooMany ? "an exclusion must be exact: it stands for too many paths" : undefined;
}

/** Returns the paths that a claim covers. */
export function claimedPaths(
  read: ReadPattern,
  isDirectory: IsDirectory | undefined,
): Result<PathPattern[], string> {
  return compileAlternatives(read, (path) => claimedTail(path, isDirectory));
}

/** Returns the paths that an exclusion takes out: all that it names and everything below. */
export function excludedPaths(read: ReadPattern): Result<PathPattern[], string> {
  return compileAlternatives(read, ({ blocks, below }) => {
    const named = endsDeep(blocks) ? blocks.slice(0, -1) : blocks;
    return [...(!below && endsWithAnyBelow(named) ? named.slice(0, -1) : named), []];
  });
}

/** Widens the pattern to the directory in which its first special character stands. */
export function widenedPattern({ nodes }: ReadPattern): ReadPattern {
  const special = nodes.findIndex((node) => node !== SLASH && typeof node !== "string");
  const literal = special === -1 ? nodes : nodes.slice(0, special);
  const directory = literal.slice(0, literal.lastIndexOf(SLASH) + 1);
  return { nodes: [...directory, DEEP], alternatives: 1 };
}

/**
 * Knows the folders of a tree. It says nothing of any other path, though that may be a file: it could
 * become a folder, and a claim is never read narrower than it may turn out.
 */
export function knownDirectory(directories: ReadonlySet<string> | undefined): IsDirectory {
  return (path) => (directories?.has(path) ? true : undefined);
}

function compileAlternatives(
  read: ReadPattern,
  finish: (path: WrittenPath) => readonly Segment[][],
): Result<PathPattern[], string> {
  const { nodes } = read.alternatives === Infinity ? widenedPattern(read) : read;
  const patterns: PathPattern[] = [];
  for (const pieces of expandChoices(nodes)) {
    const path = writtenPath(pieces);
    if (!path.ok) return path;
    if (path.value) patterns.push({ blocks: finish(path.value) });
  }
  return patterns.length === 0 ? fail("it names no path") : ok(patterns);
}

function claimedTail(path: WrittenPath, isDirectory: IsDirectory | undefined): Segment[][] {
  const { blocks } = path;
  if (endsDeep(blocks)) return [...blocks.slice(0, -1), [ANY_NAME]];
  if (path.below) return [...blocks, [ANY_NAME]];
  switch (lastNameKind(blocks, isDirectory)) {
    case "directory":
      return [...blocks, [ANY_NAME]];
    case "either":
      return [...blocks, []];
    case "file":
      return blocks;
  }
}

function lastNameKind(
  blocks: readonly Segment[][],
  isDirectory: IsDirectory | undefined,
): "directory" | "either" | "file" {
  const last = blocks.at(-1)?.at(-1);
  if (typeof last !== "string") return "file";
  const literal = literalPrefix({ blocks });
  const isLiteral = blocks.length === 1 && literal.length === blocks[0]?.length;
  const known = isLiteral ? isDirectory?.(literal.join("/")) : undefined;
  if (known !== undefined) return known ? "directory" : "file";
  return looksLikeFile(last) ? "file" : "either";
}

// An exclusion of all below a directory takes out the directory too.
function endsWithAnyBelow(blocks: readonly Segment[][]): boolean {
  const last = blocks.at(-1) ?? [];
  return blocks.length > 1 && last.length === 1 && isAnyName(last[0]);
}

function endsDeep(blocks: readonly Segment[][]): boolean {
  return blocks.length > 1 && blocks.at(-1)?.length === 0;
}
