import { isWithin } from "../../domain/claim/area.ts";
import { patternsMeet } from "../../domain/glob/patterns-meet.ts";
import { ORDINARY_COST } from "./conflict-index.ts";
import type { ConflictIndex, IndexEntry, IndexNode, OpenPatterns } from "./conflict-index.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import type { ConflictRows } from "./conflict-rows.ts";

/** Up to this many pairs of tasks are related at once; more are collected and related row by row. */
const MAX_PAIRS_AT_ONCE = 16;

/** Groups tasks by whether they write or read some paths. */
interface Owners {
  readonly writers: readonly number[];
  readonly readers: readonly number[];
}

type Above = IndexNode | undefined;

/** Relates every two tasks whose claims conflict. */
export function relateConflicts(
  index: ConflictIndex,
  rows: ConflictRows,
  maxComparisons: number,
): void {
  const entries = index.entries();
  new ConflictSearch(entries, coarseNodes(entries, maxComparisons), rows).run();
}

class ConflictSearch {
  readonly #entries: readonly IndexEntry[];
  readonly #rows: ConflictRows;
  readonly #coarse: ReadonlySet<IndexNode>;
  readonly #met = new Map<IndexedPattern, IndexedPattern[]>();

  constructor(entries: readonly IndexEntry[], coarse: ReadonlySet<IndexNode>, rows: ConflictRows) {
    this.#entries = entries;
    this.#coarse = coarse;
    this.#rows = rows;
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
    // Two patterns of one node would meet from both sides, so each looks only at later ones.
    this.#meetAll(indexed, at.open, isHere ? indexed.id : -1);
  }

  #meetAll(pattern: IndexedPattern, open: OpenPatterns, after: number): void {
    for (const { patterns } of open.candidates(pattern)) {
      for (const other of patterns) {
        if (other.id <= after || this.#isKnown(pattern, other)) continue;
        if (conflict(pattern, other)) this.#meet(pattern, other);
      }
    }
  }

  /** Says that there is nothing to learn: the two patterns belong to one task, or to two that are known to conflict. */
  #isKnown(a: IndexedPattern, b: IndexedPattern): boolean {
    if (a.only === undefined || b.only === undefined) return false;
    return a.only === b.only || this.#rows.has(a.only, b.only);
  }

  #meet(a: IndexedPattern, b: IndexedPattern): void {
    if (countOwners(a) * countOwners(b) <= MAX_PAIRS_AT_ONCE) relate(this.#rows, a, b);
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
 * Finds the nodes whose open patterns would take too long to compare. They count as claiming everything below, which is
 * wider than declared and never narrower. Nodes of equal cost are treated alike, so the order of the tasks does not
 * matter.
 */
function coarseNodes(entries: readonly IndexEntry[], maxComparisons: number): Set<IndexNode> {
  const costs = nodeCosts(entries);
  let left = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
  let lowest = Infinity;
  for (const cost of [...costs.values()].sort((a, b) => b - a)) {
    if (left <= maxComparisons * ORDINARY_COST) break;
    left -= cost;
    lowest = cost;
  }
  return new Set([...costs].filter(([, cost]) => cost >= lowest).map(([node]) => node));
}

function nodeCosts(entries: readonly IndexEntry[]): ReadonlyMap<IndexNode, number> {
  const costs = new Map<IndexNode, number>();
  for (const { indexed, node } of entries) {
    for (let at: Above = node; at; at = at.parent) {
      if (at.open) costs.set(at, (costs.get(at) ?? 0) + at.open.cost(indexed));
    }
  }
  return costs;
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

/** Says whether others claim something at or below a node. Most nodes are one file that one pattern claims. */
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
