/** Blocks of items with a star between each two; one block means no star. Only the outer blocks may be empty. */
export type Starred<T> = readonly (readonly T[])[];

export interface Alphabet<T, W> {
  readonly meets: (x: T, y: T) => boolean;
  /** What two items that meet have in common. */
  readonly common: (x: T, y: T) => W;
  readonly example: (x: T) => W;
}

/**
 * Decides whether two starred sequences have a member in common, where a star stands for any items.
 * Both levels of a glob are this problem: characters with `*`, and path segments with `**`.
 */
export class StarredSequences<T, W> {
  readonly #alphabet: Alphabet<T, W>;
  readonly #meets: (x: T, y: T) => boolean;

  constructor(alphabet: Alphabet<T, W>) {
    this.#alphabet = alphabet;
    this.#meets = alphabet.meets;
  }

  meet(a: Starred<T>, b: Starred<T>): boolean {
    const headA = head(a);
    const headB = head(b);
    if (a.length === 1 && b.length === 1) {
      return headA.length === headB.length && this.#fits(headA, headB, 0);
    }
    if (a.length === 1) return this.#place(b, headA) !== undefined;
    if (b.length === 1) return this.#place(a, headB) !== undefined;
    // With a star on both sides the ends decide: each side's stars swallow the other's middle.
    return this.#headsMeet(headA, headB) && this.#tailsMeet(tail(a), tail(b));
  }

  /** A member of both; only meaningful when they meet. May be empty. */
  common(a: Starred<T>, b: Starred<T>): W[] {
    if (a.length === 1 && b.length === 1) return this.#joinHeads(head(a), head(b));
    if (a.length === 1) return this.#commonWithFixed(b, head(a));
    if (b.length === 1) return this.#commonWithFixed(a, head(b));
    const { example } = this.#alphabet;
    const middle = [...a.slice(1, -1), ...b.slice(1, -1)].flat().map(example);
    return [
      ...this.#joinHeads(head(a), head(b)),
      ...middle,
      ...this.#joinHeads(tail(a).toReversed(), tail(b).toReversed()).reverse(),
    ];
  }

  /** From the end: paths that are compared tend to start alike. */
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

  /** Where each block of a starred sequence goes in a fixed one: leftmost first, which never costs a later block its place. */
  #place(starred: Starred<T>, items: readonly T[]): readonly number[] | undefined {
    const last = tail(starred);
    const end = items.length - last.length;
    let from = head(starred).length;
    if (from > end) return undefined;
    if (!this.#fits(head(starred), items, 0) || !this.#fits(last, items, end)) return undefined;
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

  #commonWithFixed(starred: Starred<T>, items: readonly T[]): W[] {
    const { common, example } = this.#alphabet;
    const result = items.map(example);
    const places = this.#place(starred, items) ?? [];
    places.forEach((place, index) => {
      starred[index]?.forEach((item, offset) => {
        result[place + offset] = common(item, items[place + offset] as T);
      });
    });
    return result;
  }

  #joinHeads(a: readonly T[], b: readonly T[]): W[] {
    const { common, example } = this.#alphabet;
    const [short, long] = a.length <= b.length ? [a, b] : [b, a];
    return long.map((item, i) => (i < short.length ? common(short[i] as T, item) : example(item)));
  }
}

function head<T>(starred: Starred<T>): readonly T[] {
  return starred[0] ?? [];
}

function tail<T>(starred: Starred<T>): readonly T[] {
  return starred[starred.length - 1] ?? [];
}
