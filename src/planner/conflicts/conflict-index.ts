import { NO_AREA } from "../../domain/claim/area.ts";
import type { Area } from "../../domain/claim/area.ts";
import { literalPrefix, patternKey } from "../../domain/glob/path-pattern.ts";
import type { PathPattern } from "../../domain/glob/path-pattern.ts";
import { indexedPattern, isWhole, eachDirectory } from "./conflict-pattern.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";

/** A node is a path that some pattern spells out. Two patterns can only meet if the spelled-out part of one starts that of the other. */
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

/** Deeper paths are compared one by one, which bounds the work that one pattern can cause. */
const MAX_DEPTH = 16;

/** Keeps each distinct pattern once, with the tasks that claim it, in a tree of the names that the patterns start with. */
export class ConflictIndex {
  readonly #root: IndexNode = newNode(undefined);
  readonly #byKey = new Map<string, IndexedPattern>();

  /** Neighbours in the tree come one after the other, so the patterns that they are compared with are still at hand. */
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

/** Comparing two patterns costs this much; two with over thirty special characters each cost more. */
export const ORDINARY_COST = 1024;

/** Holds the patterns of one node that go on with something special, and finds them by how their paths end. */
export class OpenPatterns {
  readonly #all: Group = { patterns: [], weight: 0 };
  readonly #anyEnding: Group = { patterns: [], weight: 0 };
  readonly #byEnding = new Map<string, Group>();
  readonly #magicByEnding = new Map<string, Group>();
  readonly #byFileName = new Map<string, Group>();
  readonly #byDirectory = new Map<string, Group>();

  get patterns(): readonly IndexedPattern[] {
    return this.#all.patterns;
  }

  add(indexed: IndexedPattern): void {
    const { ending, fileName } = indexed;
    addTo(this.#all, indexed);
    if (ending === undefined) {
      addTo(this.#anyEnding, indexed);
      return;
    }
    addTo(groupIn(this.#byEnding, ending), indexed);
    if (fileName === undefined) addTo(groupIn(this.#magicByEnding, ending), indexed);
    else addTo(groupIn(this.#byFileName, fileName), indexed);
    eachDirectory(indexed, (name) => addTo(groupIn(this.#byDirectory, name), indexed));
  }

  /** Lists every pattern here that the given one could meet, some of them twice. */
  candidates(indexed: IndexedPattern): readonly Group[] {
    const { ending, fileName } = indexed;
    if (ending === undefined) return [this.#all];
    const groups = [this.#anyEnding];
    if (fileName === undefined) addIf(groups, this.#byEnding.get(ending));
    else {
      addIf(groups, this.#magicByEnding.get(ending));
      addIf(groups, this.#byFileName.get(fileName));
      // A claim on a file also meets a claim below a directory of that name, and the other way round.
      addIf(groups, this.#byDirectory.get(fileName));
    }
    if (this.#byFileName.size > 0) {
      eachDirectory(indexed, (name) => addIf(groups, this.#byFileName.get(name)));
    }
    return groups;
  }

  /** Says how much work it is to find everything that the pattern meets here. */
  cost(indexed: IndexedPattern): number {
    let cost = 0;
    for (const { patterns, weight } of this.candidates(indexed)) {
      cost += patterns.length * ORDINARY_COST + indexed.weight * weight;
    }
    return cost;
  }
}

interface Group {
  readonly patterns: IndexedPattern[];
  weight: number;
}

function addIf(groups: Group[], group: Group | undefined): void {
  if (group) groups.push(group);
}

function groupIn(groups: Map<string, Group>, name: string): Group {
  const group = groups.get(name) ?? { patterns: [], weight: 0 };
  groups.set(name, group);
  return group;
}

function addTo(group: Group, indexed: IndexedPattern): void {
  group.patterns.push(indexed);
  group.weight += indexed.weight;
}
