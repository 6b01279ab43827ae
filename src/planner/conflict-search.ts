import { isWithinAny } from "../domain/claim/compile-claims.ts";
import { patternsMeet } from "../domain/claim/patterns-meet.ts";
import type { ConflictIndex, IndexNode } from "./conflict-index.ts";
import { rootPath } from "./conflict-index.ts";
import type { OpenPatterns } from "./conflict-open-patterns.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import type { ConflictRows } from "./conflict-rows.ts";

/** About a second of comparisons; a real plan of 10,000 tasks needs less than half. */
const MAX_COMPARISONS = 8_000_000;

/** Tasks by what they do with some paths. */
interface Owners {
  readonly writers: number[];
  readonly readers: number[];
}

/** Relates every two tasks whose claims conflict. */
export function relateConflicts(index: ConflictIndex, rows: ConflictRows): void {
  const coarse = coarseNodes(index);
  for (const [node, below] of ownersBelow(index, coarse)) {
    const whole = [...(node.whole ?? []), ...(coarse.has(node) ? (node.open?.patterns ?? []) : [])];
    relate(rows, gather(whole), below);
  }
  for (const { indexed, node, isWhole } of index.entries) {
    relate(rows, indexed, indexed);
    for (const at of rootPath(node)) {
      const isDone = coarse.has(at) || (isWhole && at === node);
      // Patterns of one node would see each other from both sides.
      const look = { pattern: indexed, after: at === node ? indexed.id : -1 };
      if (at.open && !isDone) relateOpen(rows, look, at.open);
    }
  }
}

/**
 * Nodes whose open patterns would take too long to compare. They count as claiming all below: wider than
 * declared, never narrower. Depends on the patterns alone, not on their order.
 */
function coarseNodes(index: ConflictIndex): ReadonlySet<IndexNode> {
  const costs = new Map<IndexNode, number>();
  let total = 0;
  for (const { indexed, node } of index.entries) {
    for (const at of rootPath(node)) {
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
  index: ConflictIndex,
  coarse: ReadonlySet<IndexNode>,
): ReadonlyMap<IndexNode, Owners> {
  const below = new Map<IndexNode, Owners>();
  for (const { indexed, node } of index.entries) {
    for (const at of rootPath(node)) {
      if (!at.whole && !coarse.has(at)) continue;
      const owners = below.get(at) ?? { writers: [], readers: [] };
      below.set(at, owners);
      addOwners(owners, indexed);
    }
  }
  return below;
}

interface Look {
  readonly pattern: IndexedPattern;
  readonly after: number;
}

function relateOpen(rows: ConflictRows, { pattern, after }: Look, open: OpenPatterns): void {
  for (const { patterns } of open.candidates(pattern)) {
    for (const other of patterns) {
      if (other.id <= after || isSettled(rows, pattern, other)) continue;
      if (conflict(pattern, other)) relate(rows, pattern, other);
    }
  }
}

function isSettled(rows: ConflictRows, a: IndexedPattern, b: IndexedPattern): boolean {
  if (a.writers.length !== 1 || b.writers.length !== 1) return false;
  if (a.readers.length > 0 || b.readers.length > 0) return false;
  const [i = 0] = a.writers;
  const [j = 0] = b.writers;
  return i === j || rows.has(i, j);
}

function conflict(a: IndexedPattern, b: IndexedPattern): boolean {
  return (
    patternsMeet(a.pattern, b.pattern) &&
    !isWithinAny(a.pattern, b.exclusions) &&
    !isWithinAny(b.pattern, a.exclusions)
  );
}

function relate(rows: ConflictRows, a: Owners, b: Owners): void {
  rows.join(a.writers, b.writers);
  rows.join(a.writers, b.readers);
  rows.join(a.readers, b.writers);
}

function gather(patterns: readonly IndexedPattern[]): Owners {
  const owners: Owners = { writers: [], readers: [] };
  for (const indexed of patterns) addOwners(owners, indexed);
  return owners;
}

function addOwners(owners: Owners, { writers, readers }: Owners): void {
  for (const writer of writers) owners.writers.push(writer);
  for (const reader of readers) owners.readers.push(reader);
}
