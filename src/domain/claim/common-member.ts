import type { Starred, StarredSequences } from "./starred-sequence.ts";
import { headOf, tailOf } from "./starred-sequence.ts";

/** How to write down what two sequences share. */
export interface Spelling<T, W> {
  readonly sequences: StarredSequences<T>;
  /** What two items that meet have in common. */
  readonly common: (x: T, y: T) => W;
  readonly example: (x: T) => W;
}

/** A member of two starred sequences that meet. It may be empty. */
export function commonMember<T, W>(
  a: Starred<T>,
  b: Starred<T>,
  spelling: Spelling<T, W>,
): readonly W[] {
  if (a.length === 1) return commonWithFixed(b, headOf(a), spelling);
  if (b.length === 1) return commonWithFixed(a, headOf(b), spelling);
  const middle = [...a.slice(1, -1), ...b.slice(1, -1)].flat().map(spelling.example);
  const [endA, endB] = [tailOf(a).toReversed(), tailOf(b).toReversed()];
  return [
    ...joinHeads(headOf(a), headOf(b), spelling),
    ...middle,
    ...joinHeads(endA, endB, spelling).reverse(),
  ];
}

function commonWithFixed<T, W>(
  starred: Starred<T>,
  items: readonly T[],
  { sequences, common, example }: Spelling<T, W>,
): W[] {
  const places = starred.length === 1 ? [0] : (sequences.place(starred, items) ?? []);
  const result = items.map(example);
  places.forEach((place, index) => {
    starred[index]?.forEach((item, offset) => {
      result[place + offset] = common(item, items[place + offset] as T);
    });
  });
  return result;
}

function joinHeads<T, W>(
  a: readonly T[],
  b: readonly T[],
  { common, example }: Spelling<T, W>,
): W[] {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return long.map((item, i) => (i < short.length ? common(short[i] as T, item) : example(item)));
}
