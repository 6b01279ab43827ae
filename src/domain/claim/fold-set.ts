import type { CodePointSet } from "./code-points.ts";
import { complementOf, countPoints, rangesOf, setFromRanges, setHas } from "./code-points.ts";
import { foldPoint } from "./fold-case.ts";

/** The last script with letter case, Adlam, ends here. */
const LAST_CASED = 0x1e943;

/** Every character that some member folds to, and the members themselves. */
export function foldSet(set: CodePointSet): CodePointSet {
  // A negated class holds nearly everything: what it lacks is quicker to go through.
  const lacking = complementOf(set);
  const folded =
    countPoints(lacking) < countPoints(set)
      ? casedPoints(lacking).filter((point) => unfold(point).some((from) => setHas(set, from)))
      : casedPoints(set).map(foldPoint);
  return withPoints(set, folded);
}

/** The set with both cases of every member. */
export function bothCases(set: CodePointSet): CodePointSet {
  const folded = casedPoints(set).map(foldPoint);
  return withPoints(set, [...folded, ...folded.flatMap(unfold)]);
}

let unfolded: ReadonlyMap<number, readonly number[]> | undefined;

/** The characters that fold to a character, except itself. */
function unfold(point: number): readonly number[] {
  unfolded ??= unfoldAll();
  return unfolded.get(point) ?? [];
}

function unfoldAll(): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  for (let point = 0x41; point <= LAST_CASED; point += 1) {
    const folded = point >= 0xd800 && point <= 0xdfff ? point : foldPoint(point);
    if (folded !== point) all.set(folded, [...(all.get(folded) ?? []), point]);
  }
  return all;
}

function casedPoints(set: CodePointSet): number[] {
  const points: number[] = [];
  for (const [low, high] of rangesOf(set)) {
    for (let point = low; point <= Math.min(high, LAST_CASED); point += 1) points.push(point);
  }
  return points;
}

function withPoints(set: CodePointSet, points: readonly number[]): CodePointSet {
  const added = points.filter((point) => !setHas(set, point));
  if (added.length === 0) return set;
  return setFromRanges([...rangesOf(set), ...added.map((point) => [point, point] as const)]);
}
