/** A star stands between each two blocks of items; one block means no star. Only the outer blocks may be empty. */
export type Starred<T> = readonly (readonly T[])[];

/** Says how to write down a member that two sequences share. */
export interface Spelling<T, W> {
  readonly sequences: StarredSequences<T>;
  /** Returns what two items that meet have in common. */
  readonly common: (x: T, y: T) => W;
  readonly example: (x: T) => W;
}

/**
 * Decides whether two starred sequences have a member in common, where a star stands for any items.
 * Both levels of a glob are this problem: characters with `*`, and path segments with `**`.
 */
export class StarredSequences<T> {
  readonly #meets: (x: T, y: T) => boolean;

  constructor(meets: (x: T, y: T) => boolean) {
    this.#meets = meets;
  }

  meet(a: Starred<T>, b: Starred<T>): boolean {
    const headA = headOf(a);
    const headB = headOf(b);
    if (a.length === 1 && b.length === 1) {
      return headA.length === headB.length && this.#fits(headA, headB, 0);
    }
    if (a.length === 1) return this.place(b, headA) !== undefined;
    if (b.length === 1) return this.place(a, headB) !== undefined;
    // With a star on both sides the ends decide: each side's stars swallow the other's middle.
    return this.#headsMeet(headA, headB) && this.#tailsMeet(tailOf(a), tailOf(b));
  }

  /** Finds the place of each block in a sequence without stars. It takes the leftmost one, which never costs a later block its place. */
  place(starred: Starred<T>, items: readonly T[]): readonly number[] | undefined {
    const last = tailOf(starred);
    const end = items.length - last.length;
    let from = headOf(starred).length;
    if (from > end) return undefined;
    if (!this.#fits(headOf(starred), items, 0) || !this.#fits(last, items, end)) return undefined;
    const places = [0];
    for (let i = 1; i < starred.length - 1; i += 1) {
      const block = starred[i] ?? [];
      while (from + block.length <= end && !this.#fits(block, items, from)) from += 1;
      if (from + block.length > end) return undefined;
      places.push(from);
      from += block.length;
    }
    places.push(end);
    return places;
  }

  /** It compares from the end: paths that are compared tend to start alike. */
  #fits(block: readonly T[], items: readonly T[], at: number): boolean {
    for (let i = block.length - 1; i >= 0; i -= 1) {
      if (!this.#meets(block[i] as T, items[at + i] as T)) return false;
    }
    return true;
  }

  #headsMeet(a: readonly T[], b: readonly T[]): boolean {
    return a.length <= b.length ? this.#fits(a, b, 0) : this.#fits(b, a, 0);
  }

  #tailsMeet(a: readonly T[], b: readonly T[]): boolean {
    return a.length <= b.length
      ? this.#fits(a, b, b.length - a.length)
      : this.#fits(b, a, a.length - b.length);
  }
}

export function headOf<T>(starred: Starred<T>): readonly T[] {
  return starred[0] ?? [];
}

export function tailOf<T>(starred: Starred<T>): readonly T[] {
  return starred[starred.length - 1] ?? [];
}

/** Returns a member of two starred sequences that meet. It may be empty. */
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
