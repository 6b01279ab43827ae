import { digest } from "../shared/digest.ts";

/** As many as a web server, its database and a few helpers take. */
const PORTS_EACH = 20;

/** Gives every workspace a range of ports of its own. */
export class PortRanges {
  readonly #first: number;
  readonly #count: number;
  readonly #taken = new Map<string, number>();

  constructor({ first, last }: { readonly first: number; readonly last: number }) {
    this.#first = first;
    this.#count = Math.floor((last - first + 1) / PORTS_EACH);
  }

  /**
   * The first port of the workspace's range; undefined when all are taken. The search begins at a place that follows from the name,
   * so a run that is taken up again after a restart gets the range that its processes already have.
   */
  take(workspace: string): number | undefined {
    const slot = this.#taken.get(workspace) ?? this.#freeSlot(workspace);
    if (slot === undefined) return undefined;
    this.#taken.set(workspace, slot);
    return this.#first + slot * PORTS_EACH;
  }

  release(workspace: string): void {
    this.#taken.delete(workspace);
  }

  #freeSlot(workspace: string): number | undefined {
    const taken = new Set(this.#taken.values());
    const start = Number.parseInt(digest(workspace).slice(0, 8), 16);
    return Array.from({ length: this.#count }, (_, index) => (start + index) % this.#count).find(
      (slot) => !taken.has(slot),
    );
  }
}
