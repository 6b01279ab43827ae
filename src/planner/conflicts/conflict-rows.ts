/** Keeps a symmetric relation over the numbers below `size`, one bit for each pair. Nothing is related to itself. */
export class ConflictRows {
  readonly size: number;
  readonly #words: number;
  readonly #bits: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.#words = Math.ceil(size / 32);
    this.#bits = new Uint32Array(size * this.#words);
  }

  has(i: number, j: number): boolean {
    return ((this.#bits[i * this.#words + (j >>> 5)] ?? 0) & (1 << (j & 31))) !== 0;
  }

  /** Relates every member of one list to every member of the other. */
  join(a: readonly number[], b: readonly number[]): void {
    if (a.length * b.length <= (a.length + b.length) * this.#words) {
      for (const i of a) for (const j of b) this.#relate(i, j);
    } else {
      this.addToRows(a, [b]);
      this.addToRows(b, [a]);
    }
  }

  /** Does one direction of `join`; the caller has to do the other. */
  addToRows(rows: readonly number[], lists: readonly (readonly number[])[]): void {
    if (rows.length === 0) return;
    const mask = new Uint32Array(this.#words);
    for (const list of lists) {
      for (const j of list) mask[j >>> 5] = (mask[j >>> 5] ?? 0) | (1 << (j & 31));
    }
    for (const i of new Set(rows)) {
      const start = i * this.#words;
      for (let word = 0; word < mask.length; word += 1) {
        this.#bits[start + word] = (this.#bits[start + word] ?? 0) | (mask[word] ?? 0);
      }
      const own = start + (i >>> 5);
      this.#bits[own] = (this.#bits[own] ?? 0) & ~(1 << (i & 31));
    }
  }

  degree(i: number): number {
    let count = 0;
    for (let word = i * this.#words; word < (i + 1) * this.#words; word += 1) {
      count += bitCount(this.#bits[word] ?? 0);
    }
    return count;
  }

  *neighbours(i: number): Generator<number, void> {
    for (let word = 0; word < this.#words; word += 1) {
      let rest = this.#bits[i * this.#words + word] ?? 0;
      while (rest !== 0) {
        yield word * 32 + 31 - Math.clz32(rest & -rest);
        rest &= rest - 1;
      }
    }
  }

  #relate(i: number, j: number): void {
    if (i === j) return;
    this.#set(i, j);
    this.#set(j, i);
  }

  #set(i: number, j: number): void {
    const word = i * this.#words + (j >>> 5);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (j & 31));
  }
}

function bitCount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
