import type { PortRanges } from "../ports/host.ts";
import { digest } from "../shared/digest.ts";

/** A web server, its database and a few helpers take so many ports. */
const PORTS_PER_RANGE = 20;

export function createPortRanges(ports: {
  readonly first: number;
  readonly last: number;
}): PortRanges {
  return new HashedPortRanges(ports);
}

class HashedPortRanges implements PortRanges {
  readonly #first: number;
  readonly #count: number;
  readonly #taken = new Map<string, number>();

  constructor({ first, last }: { readonly first: number; readonly last: number }) {
    this.#first = first;
    this.#count = Math.floor((last - first + 1) / PORTS_PER_RANGE);
  }

  take(workspace: string): number | undefined {
    const folder = this.#taken.get(workspace) ?? this.#freeRange(workspace);
    if (folder === undefined) return undefined;
    this.#taken.set(workspace, folder);
    return this.#first + folder * PORTS_PER_RANGE;
  }

  release(workspace: string): void {
    this.#taken.delete(workspace);
  }

  #freeRange(workspace: string): number | undefined {
    const taken = new Set(this.#taken.values());
    const start = Number.parseInt(digest(workspace).slice(0, 8), 16);
    return Array.from({ length: this.#count }, (_, index) => (start + index) % this.#count).find(
      (folder) => !taken.has(folder),
    );
  }
}
