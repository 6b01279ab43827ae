import { isWithin } from "../domain/claim/area.ts";
import { patternsMeet } from "../domain/claim/patterns-meet.ts";
import type { ConflictIndex, IndexEntry, IndexNode } from "./conflict-index.ts";
import type { OpenPatterns } from "./conflict-open-patterns.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import type { ConflictRows } from "./conflict-rows.ts";

/** About a second of comparisons; a real plan of 10,000 tasks needs less. */
const MAX_COMPARISONS = 8_000_000;
/** Up to so many pairs of tasks are related at once; more are collected and related row by row. */
const FEW_PAIRS = 16;

/** Tasks by what they do with some paths. */
interface Owners {
  readonly writers: readonly number[];
  readonly readers: readonly number[];
}

type Above = IndexNode | undefined;

/** Relates every two tasks whose claims conflict. */
export function relateConflicts(index: ConflictIndex, rows: ConflictRows): void {
  new ConflictSearch(index, rows).run();
}

class ConflictSearch {
  readonly #entries: readonly IndexEntry[];
  readonly #rows: ConflictRows;
  readonly #coarse: ReadonlySet<IndexNode>;
  readonly #met = new Map<IndexedPattern, IndexedPattern[]>();

  constructor(index: ConflictIndex, rows: ConflictRows) {
    this.#entries = index.entries();
    this.#rows = rows;
    this.#coarse = coarseNodes(this.#entries);
  }

  run(): void {
    this.#relateWhole();
    for (const entry of this.#entries) {
      if (entry.indexed.only === undefined) this.#meet(entry.indexed, entry.indexed);
      for (let at: Above = entry.node; at; at = at.parent) this.#relateOpen(entry, at);
    }
    for (const [pattern, met] of this.#met) {
      const writers = met.map((other) => other.writers);
      this.#rows.addToRows(pattern.writers, [...writers, ...met.map((other) => other.readers)]);
      this.#rows.addToRows(pattern.readers, writers);
    }
  }

  #relateWhole(): void {
    for (const [node, below] of ownersBelow(this.#entries, this.#coarse)) {
      const open = this.#coarse.has(node) ? (node.open?.patterns ?? []) : [];
      const whole = [...(node.whole ?? []), ...open];
      const writers = whole.flatMap((pattern) => pattern.writers);
      const readers = whole.flatMap((pattern) => pattern.readers);
      relate(this.#rows, { writers, readers }, below);
    }
  }

  #relateOpen({ indexed, node, isWhole }: IndexEntry, at: IndexNode): void {
    const isHere = at === node;
    if (!at.open || this.#coarse.has(at) || (isHere && isWhole)) return;
    // Patterns of one node would see each other from both sides.
    this.#meetAll(indexed, at.open, isHere ? indexed.id : -1);
  }

  #meetAll(pattern: IndexedPattern, open: OpenPatterns, after: number): void {
    for (const { patterns } of open.candidates(pattern)) {
      for (const other of patterns) {
        if (other.id <= after || this.#isSettled(pattern, other)) continue;
        if (conflict(pattern, other)) this.#meet(pattern, other);
      }
    }
  }

  /** Nothing to learn: the only two tasks are one task, or known to conflict. */
  #isSettled(a: IndexedPattern, b: IndexedPattern): boolean {
    if (a.only === undefined || b.only === undefined) return false;
    return a.only === b.only || this.#rows.has(a.only, b.only);
  }

  #meet(a: IndexedPattern, b: IndexedPattern): void {
    if (countOwners(a) * countOwners(b) <= FEW_PAIRS) relate(this.#rows, a, b);
    else {
      this.#collect(a, b);
      if (a !== b) this.#collect(b, a);
    }
  }

  #collect(pattern: IndexedPattern, other: IndexedPattern): void {
    const met = this.#met.get(pattern);
    if (met) met.push(other);
    else this.#met.set(pattern, [other]);
  }
}

/**
 * Nodes whose open patterns would take too long to compare. They count as claiming all below: wider than
 * declared, never narrower. Depends on the patterns alone, not on their order.
 */
function coarseNodes(entries: readonly IndexEntry[]): ReadonlySet<IndexNode> {
  const costs = new Map<IndexNode, number>();
  let total = 0;
  for (const { indexed, node } of entries) {
    for (let at: Above = node; at; at = at.parent) {
      const cost = at.open?.cost(indexed) ?? 0;
      if (cost > 0) costs.set(at, (costs.get(at) ?? 0) + cost);
      total += cost;
    }
  }
  const coarse = new Set<IndexNode>();
  for (const [node, cost] of [...costs].sort((a, b) => b[1] - a[1])) {
    if (total <= MAX_COMPARISONS) break;
    coarse.add(node);
    total -= cost;
  }
  return coarse;
}

function ownersBelow(
  entries: readonly IndexEntry[],
  coarse: ReadonlySet<IndexNode>,
): ReadonlyMap<IndexNode, Owners> {
  const below = new Map<IndexNode, { writers: number[]; readers: number[] }>();
  for (const { indexed, node } of entries) {
    for (let at: Above = node; at; at = at.parent) {
      if (!hasOthersBelow(at) && !coarse.has(at)) continue;
      const owners = below.get(at) ?? { writers: [], readers: [] };
      below.set(at, owners);
      for (const writer of indexed.writers) owners.writers.push(writer);
      for (const reader of indexed.readers) owners.readers.push(reader);
    }
  }
  return below;
}

/** Most nodes are one file that one pattern claims. */
function hasOthersBelow({ whole, open, children }: IndexNode): boolean {
  return whole !== undefined && (whole.length > 1 || open !== undefined || children !== undefined);
}

function conflict(a: IndexedPattern, b: IndexedPattern): boolean {
  return (
    patternsMeet(a.pattern, b.pattern) &&
    !isWithin(a.pattern, b.exclusions) &&
    !isWithin(b.pattern, a.exclusions)
  );
}

function relate(rows: ConflictRows, a: Owners, b: Owners): void {
  rows.join(a.writers, b.writers);
  rows.join(a.writers, b.readers);
  rows.join(a.readers, b.writers);
}

function countOwners({ writers, readers }: Owners): number {
  return writers.length + readers.length;
}
