/** Blocks of items with a star between each two; one block means no star. Only the outer blocks may be empty. */
export type Starred<T> = readonly (readonly T[])[];

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

  /** Where each block goes in a sequence without stars: leftmost first, which never costs a later block its place. */
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
}

export function headOf<T>(starred: Starred<T>): readonly T[] {
  return starred[0] ?? [];
}

export function tailOf<T>(starred: Starred<T>): readonly T[] {
  return starred[starred.length - 1] ?? [];
}
