import type { Area } from "../domain/claim/area.ts";
import { NO_AREA } from "../domain/claim/area.ts";
import type { PathPattern } from "../domain/claim/path-pattern.ts";
import { literalPrefix, patternKey } from "../domain/claim/path-pattern.ts";
import { OpenPatterns } from "./conflict-open-patterns.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import { indexedPattern, isWhole } from "./conflict-pattern.ts";

/** Deeper paths are compared one by one: it bounds the work that one pattern can cause. */
const MAX_DEPTH = 16;

/** A path that some pattern spells out. Two patterns can only meet if one's spelled-out part starts the other's. */
export interface IndexNode {
  readonly parent: IndexNode | undefined;
  children: Map<string, IndexNode> | undefined;
  whole: IndexedPattern[] | undefined;
  open: OpenPatterns | undefined;
}

export interface IndexEntry {
  readonly indexed: IndexedPattern;
  readonly node: IndexNode;
  readonly isWhole: boolean;
}

/** Each distinct pattern once, with the tasks that claim it, in a tree of the names that they start with. */
export class ConflictIndex {
  readonly #root: IndexNode = newNode(undefined);
  readonly #byKey = new Map<string, IndexedPattern>();

  /** Neighbours in the tree come one after the other: what they are compared with is then still at hand. */
  entries(): readonly IndexEntry[] {
    const entries: IndexEntry[] = [];
    const nodes = [this.#root];
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      for (const indexed of node.whole ?? []) entries.push({ indexed, node, isWhole: true });
      for (const indexed of node.open?.patterns ?? []) {
        entries.push({ indexed, node, isWhole: false });
      }
      for (const child of node.children?.values() ?? []) nodes.push(child);
    }
    return entries;
  }

  find(pattern: PathPattern, exclusions: Area): IndexedPattern {
    const written = patternKey(pattern);
    const key = exclusions === NO_AREA ? written : written + areaKey(exclusions);
    const known = this.#byKey.get(key);
    if (known) return known;
    const indexed = indexedPattern(this.#byKey.size, pattern, exclusions);
    this.#byKey.set(key, indexed);
    this.#insert(indexed);
    return indexed;
  }

  #insert(indexed: IndexedPattern): void {
    let node = this.#root;
    const names = literalPrefix(indexed.pattern);
    for (const name of names.slice(0, MAX_DEPTH)) node = childOf(node, name);
    if (names.length <= MAX_DEPTH && isWhole(indexed)) addWhole(node, indexed);
    else (node.open ??= new OpenPatterns()).add(indexed);
  }
}

function addWhole(node: IndexNode, indexed: IndexedPattern): void {
  if (node.whole) node.whole.push(indexed);
  else node.whole = [indexed];
}

function areaKey({ patterns, names }: Area): string {
  return `\u0000${[...patterns.map(patternKey), ...names].sort().join("\u0000")}`;
}

function childOf(node: IndexNode, name: string): IndexNode {
  node.children ??= new Map();
  const child = node.children.get(name) ?? newNode(node);
  node.children.set(name, child);
  return child;
}

function newNode(parent: IndexNode | undefined): IndexNode {
  return { parent, children: undefined, whole: undefined, open: undefined };
}
