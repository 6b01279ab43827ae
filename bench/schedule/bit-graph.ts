import type { ConflictGraph } from "../../src/planner/conflicts/conflict-graph.ts";
import type { AloneReason } from "../../src/planner/conflicts/conflict-task.ts";

/** A conflict graph that is drawn rather than found: the bench measures schedules, not patterns. */
export class BitGraph implements ConflictGraph {
  readonly size: number;
  readonly #rows: Uint32Array[];
  readonly #alone = new Set<number>();

  constructor(size: number) {
    this.size = size;
    this.#rows = Array.from({ length: size }, () => new Uint32Array((size + 31) >>> 5));
  }

  join(i: number, j: number): void {
    if (i === j) return;
    this.#rows[i]![j >>> 5]! |= 1 << (j & 31);
    this.#rows[j]![i >>> 5]! |= 1 << (i & 31);
  }

  joinAll(i: number): void {
    this.#alone.add(i);
    for (let j = 0; j < this.size; j += 1) this.join(i, j);
  }

  alone(i: number): AloneReason | undefined {
    return this.#alone.has(i) ? { kind: "exclusive" } : undefined;
  }

  conflicts(i: number, j: number): boolean {
    return ((this.#rows[i]![j >>> 5]! >>> (j & 31)) & 1) === 1;
  }

  *neighbours(i: number): Generator<number> {
    for (let j = 0; j < this.size; j += 1) if (this.conflicts(i, j)) yield j;
  }

  degree(i: number): number {
    return [...this.neighbours(i)].length;
  }

  example(i: number, j: number): string | undefined {
    return this.conflicts(i, j) ? `shared/${i}-${j}` : undefined;
  }
}
