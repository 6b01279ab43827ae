import type { Result } from "../../shared/result.ts";
import { fail, ok } from "../../shared/result.ts";
import type { ClaimMode } from "../claim.ts";
import { countAlternatives, expandChoices } from "./expand-choices.ts";
import { looksLikeFile } from "./file-name.ts";
import type { GlobNode } from "./glob-syntax.ts";
import { DEEP, SLASH } from "./glob-syntax.ts";
import { MAX_ALTERNATIVES, MAX_EXCLUSION_ALTERNATIVES, MAX_PATTERN_LENGTH } from "./limits.ts";
import { parseGlob } from "./parse-glob.ts";
import type { PathPattern, Segment } from "./path-pattern.ts";
import { ANY_NAME, isAnyName, literalPrefix } from "./path-pattern.ts";
import type { WrittenPath } from "./written-path.ts";
import { writtenPath } from "./written-path.ts";

/** What the base tree knows of a path: a directory, a file, or nothing. */
export type IsDirectory = (path: string) => boolean | undefined;

/** A pattern that has been read but not yet expanded. */
export interface ReadPattern {
  readonly nodes: readonly GlobNode[];
  /** Infinite when it can only be widened. */
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

/** The paths that a claim covers. */
export function claimedPaths(
  read: ReadPattern,
  isDirectory: IsDirectory | undefined,
): Result<PathPattern[], string> {
  return compileAlternatives(read, (path) => claimedTail(path, isDirectory));
}

/** The paths that an exclusion takes out: whatever it names and everything below. */
export function excludedPaths(read: ReadPattern): Result<PathPattern[], string> {
  return compileAlternatives(read, ({ blocks, below }) => {
    const named = endsDeep(blocks) ? blocks.slice(0, -1) : blocks;
    return [...(!below && endsWithAnyBelow(named) ? named.slice(0, -1) : named), []];
  });
}

/** The same claim widened to the directory in which its first special character stands. */
export function widenedPattern({ nodes }: ReadPattern): ReadPattern {
  const special = nodes.findIndex((node) => node !== SLASH && typeof node !== "string");
  const literal = special === -1 ? nodes : nodes.slice(0, special);
  const directory = literal.slice(0, literal.lastIndexOf(SLASH) + 1);
  return { nodes: [...directory, DEEP], alternatives: 1 };
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
