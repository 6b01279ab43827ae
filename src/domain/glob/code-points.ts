/** The ranges are sorted, disjoint and inclusive: `[low, high, low, high, …]`. */
export type CodePointSet = readonly number[];

/** One character of a file name can be any but NUL, `/` and half of a surrogate pair. */
export const ANY_CHARACTER: CodePointSet = [1, 0x2e, 0x30, 0xd7ff, 0xe000, 0x10ffff];

export function setFromRanges(ranges: readonly (readonly [number, number])[]): CodePointSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [low, high] of sorted) {
    const last = set.at(-1);
    if (last !== undefined && low <= last + 1) set[set.length - 1] = Math.max(last, high);
    else set.push(low, high);
  }
  return set;
}

export function rangesOf(set: CodePointSet): [number, number][] {
  const ranges: [number, number][] = [];
  for (let i = 0; i < set.length; i += 2) ranges.push([set[i] ?? 0, set[i + 1] ?? 0]);
  return ranges;
}

export function setHas(set: CodePointSet, point: number): boolean {
  for (let i = 0; i < set.length; i += 2) {
    if (point < (set[i] ?? 0)) return false;
    if (point <= (set[i + 1] ?? 0)) return true;
  }
  return false;
}

export function intersectSets(a: CodePointSet, b: CodePointSet): CodePointSet {
  const both: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i] ?? 0, b[j] ?? 0);
    const highA = a[i + 1] ?? 0;
    const highB = b[j + 1] ?? 0;
    if (low <= Math.min(highA, highB)) both.push(low, Math.min(highA, highB));
    if (highA < highB) i += 2;
    else j += 2;
  }
  return both;
}

export function complementOf(set: CodePointSet): CodePointSet {
  const rest: number[] = [];
  let next = 0;
  for (const [low, high] of rangesOf(set)) {
    if (low > next) rest.push(next, low - 1);
    next = high + 1;
  }
  if (next <= 0x10ffff) rest.push(next, 0x10ffff);
  return intersectSets(rest, ANY_CHARACTER);
}

export function countPoints(set: CodePointSet): number {
  return rangesOf(set).reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

/** Picks a member that reads well in an example path. */
export function pickFrom(set: CodePointSet): number {
  for (const char of "xab1_") {
    const point = char.codePointAt(0) ?? 0;
    if (setHas(set, point)) return point;
  }
  return intersectSets(set, [0x21, 0x10ffff])[0] ?? set[0] ?? 0;
}

export function pointsOf(text: string): number[] {
  const points: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const point = text.codePointAt(i) ?? 0;
    if (point > 0xffff) i += 1;
    points.push(point);
  }
  return points;
}
