import { NO_AREA } from "../../domain/claim/area.ts";
import type { Area } from "../../domain/claim/area.ts";
import { fileNameOf, isAnyName, literalPrefix } from "../../domain/glob/path-pattern.ts";
import type { PathPattern, Segment } from "../../domain/glob/path-pattern.ts";

/** This is one pattern with the tasks that claim it with the same exclusions. */
export interface IndexedPattern {
  /** Patterns are numbered in the order in which they are first seen. */
  readonly id: number;
  readonly pattern: PathPattern;
  readonly exclusions: Area;
  writers: number[];
  readers: number[];
  /** This is the task that claims it, as long as there is only one. */
  only: number | undefined;
  /** This is the last name, if it is plain. */
  readonly fileName: string | undefined;
  /** Every path ends with this after its last dot. It is empty if there is no dot, and unknown if it may vary. */
  readonly ending: string | undefined;
  /** It stands for the time that comparing takes: it counts the names, and the characters of names that are not plain. */
  readonly weight: number;
}

const NOBODY: number[] = [];

export function indexedPattern(
  id: number,
  { blocks }: PathPattern,
  exclusions: Area,
): IndexedPattern {
  const fileName = fileNameOf({ blocks });
  const ending = endingOf(blocks[blocks.length - 1]?.at(-1));
  const weight = weightOf(blocks);
  const owners = { writers: NOBODY, readers: NOBODY, only: undefined };
  return { id, pattern: { blocks }, exclusions, ...owners, fileName, ending, weight };
}

export function addOwner(indexed: IndexedPattern, mode: "writers" | "readers", task: number): void {
  const isFirst = indexed.writers === NOBODY && indexed.readers === NOBODY;
  indexed.only = isFirst || indexed.only === task ? task : undefined;
  if (indexed[mode] === NOBODY) indexed[mode] = [task];
  else if (indexed[mode].at(-1) !== task) indexed[mode].push(task);
}

/** Calls `visit` with each plain name that is followed by something. */
export function eachDirectory(
  { pattern: { blocks }, fileName }: IndexedPattern,
  visit: (name: string) => void,
): void {
  const last = fileName === undefined ? undefined : blocks[blocks.length - 1];
  for (const block of blocks) {
    const end = block === last ? block.length - 1 : block.length;
    for (let i = 0; i < end; i += 1) {
      const segment = block[i];
      if (typeof segment === "string") visit(segment);
    }
  }
}

/**
 * Says whether a pattern is a path, or everything below a path. It then meets every pattern that spells out the same
 * path and goes on: if others declare something below a file, that file is a directory after all.
 */
export function isWhole({ pattern, exclusions }: IndexedPattern): boolean {
  const [first = [], second, third] = pattern.blocks;
  if (exclusions !== NO_AREA) return false;
  if (third || literalPrefix(pattern).length !== first.length) return false;
  return (
    second === undefined || second.length === 0 || (second.length === 1 && isAnyName(second[0]))
  );
}

function endingOf(segment: Segment | undefined): string | undefined {
  if (segment === undefined) return undefined;
  const text = typeof segment === "string" ? segment : segment.end;
  const dot = text.lastIndexOf(".");
  if (dot !== -1) return text.slice(dot + 1);
  return typeof segment === "string" ? "" : undefined;
}

function weightOf(blocks: PathPattern["blocks"]): number {
  let weight = 0;
  for (const block of blocks) for (const segment of block) weight += segmentWeight(segment);
  return weight;
}

function segmentWeight(segment: Segment): number {
  if (typeof segment === "string") return 1;
  return segment.blocks.reduce((sum, block) => sum + block.length, 1);
}
