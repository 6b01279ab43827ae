import type { Area } from "../domain/claim/area.ts";
import { NO_AREA } from "../domain/claim/area.ts";
import type { PathPattern, Segment } from "../domain/claim/path-pattern.ts";
import { fileNameOf, isAnyName, literalPrefix } from "../domain/claim/path-pattern.ts";

/** One pattern and the tasks that claim it with the same exclusions. */
export interface IndexedPattern {
  /** In order of first sight. */
  readonly id: number;
  readonly pattern: PathPattern;
  readonly exclusions: Area;
  writers: number[];
  readers: number[];
  /** The task, as long as there is only one. */
  only: number | undefined;
  /** The last name, when it is plain. */
  readonly fileName: string | undefined;
  /** What every path ends with after its last dot; empty without a dot, unknown when it may vary. */
  readonly ending: string | undefined;
  /** Stands for the time that comparing takes: names, and the characters of those that are not plain. */
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

/** Calls with each plain name that is followed by something. */
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
 * Whether a pattern is a path, or all below a path. It then meets every pattern that spells out the same path
 * and goes on: a file that others declare something below is a directory after all.
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
