import { intersectSets, pickFrom, pointsOf, setHas } from "./code-points.ts";
import { fileNameOf } from "./path-pattern.ts";
import type { MagicSegment, PathPattern, Segment, Token } from "./path-pattern.ts";
import { commonMember, StarredSequences } from "./starred-sequence.ts";

const FILLER = "x";

const characters = new StarredSequences<Token>(tokensMeet);
const segments = new StarredSequences<Segment>(segmentsMeet);

/** Tells exactly whether both cover some path. */
export function patternsMeet(a: PathPattern, b: PathPattern): boolean {
  if (segments.meet(a.blocks, b.blocks)) return true;
  return meetsAsDirectory(a, b) || meetsAsDirectory(b, a);
}

/** Returns a path that both cover, spelled as they are if one spelling suits both; or nothing. */
export function commonPath(a: PathPattern, b: PathPattern): string | undefined {
  return commonSpelling(a.written ?? a, b.written ?? b) ?? commonSpelling(a, b);
}

function commonSpelling(a: PathPattern, b: PathPattern): string | undefined {
  const readings: [PathPattern, PathPattern][] = [
    [a, b],
    [asDirectory(a, b), b],
    [a, asDirectory(b, a)],
  ];
  const met = readings.find(([x, y]) => segments.meet(x.blocks, y.blocks));
  if (!met) return undefined;
  const path = commonMember(met[0].blocks, met[1].blocks, {
    sequences: segments,
    common: commonSegment,
    example: (segment) => commonSegment(segment, segment),
  });
  return path.length === 0 ? FILLER : path.join("/");
}

export function patternCovers(pattern: PathPattern, path: readonly string[]): boolean {
  return segments.meet(pattern.blocks, [path]);
}

function meetsAsDirectory(file: PathPattern, other: PathPattern): boolean {
  const directory = asDirectory(file, other);
  return directory !== file && segments.meet(directory.blocks, other.blocks);
}

/**
 * A claim on `x.app` means a file, unless the other claim names something below an `x.app`:
 * then it is a directory after all, and both mean the same one.
 */
function asDirectory(file: PathPattern, other: PathPattern): PathPattern {
  const name = fileNameOf(file);
  if (name === undefined || !namesDirectory(other, name)) return file;
  return { blocks: [...file.blocks, []] };
}

function namesDirectory({ blocks }: PathPattern, name: string): boolean {
  for (let i = 0; i < blocks.length; i += 1) {
    const block = blocks[i] ?? [];
    const end = i === blocks.length - 1 ? block.length - 1 : block.length;
    for (let j = 0; j < end; j += 1) if (block[j] === name) return true;
  }
  return false;
}

function segmentsMeet(a: Segment, b: Segment): boolean {
  if (typeof a === "string") return typeof b === "string" ? a === b : nameMatches(a, b);
  return typeof b === "string" ? nameMatches(b, a) : magicMeets(a, b);
}

function nameMatches(name: string, magic: MagicSegment): boolean {
  if (!name.startsWith(magic.start) || !name.endsWith(magic.end)) return false;
  return characters.meet(magic.blocks, [pointsOf(name)]);
}

function magicMeets(a: MagicSegment, b: MagicSegment): boolean {
  if (!a.start.startsWith(b.start) && !b.start.startsWith(a.start)) return false;
  if (!a.end.endsWith(b.end) && !b.end.endsWith(a.end)) return false;
  return characters.meet(a.blocks, b.blocks);
}

function commonSegment(a: Segment, b: Segment): string {
  if (typeof a === "string") return a;
  if (typeof b === "string") return b;
  const points = commonMember(a.blocks, b.blocks, {
    sequences: characters,
    common: commonToken,
    example: (token) => commonToken(token, token),
  });
  const text = String.fromCodePoint(...points);
  const hasFreeStart = a.blocks[0]?.length === 0 && b.blocks[0]?.length === 0;
  return hasFreeStart && a.blocks.length > 1 && b.blocks.length > 1 ? FILLER + text : text;
}

function tokensMeet(a: Token, b: Token): boolean {
  if (typeof a === "number") return typeof b === "number" ? a === b : setHas(b, a);
  return typeof b === "number" ? setHas(a, b) : intersectSets(a, b).length > 0;
}

function commonToken(a: Token, b: Token): number {
  if (typeof a === "number") return a;
  return typeof b === "number" ? b : pickFrom(intersectSets(a, b));
}
