import type { PathPattern } from "../domain/claim/path-pattern.ts";
import { literalPrefix, patternKey } from "../domain/claim/path-pattern.ts";
import { OpenPatterns } from "./conflict-open-patterns.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import { isWhole } from "./conflict-pattern.ts";

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
  readonly #byKey = new Map<string, IndexEntry>();

  get entries(): Iterable<IndexEntry> {
    return this.#byKey.values();
  }

  find(pattern: PathPattern, exclusions: readonly PathPattern[]): IndexedPattern {
    const key = [pattern, ...exclusions].map(patternKey).join("\u0000");
    const known = this.#byKey.get(key);
    if (known) return known.indexed;
    const { blocks } = pattern;
    const id = this.#byKey.size;
    const indexed = { id, pattern: { blocks }, exclusions, writers: [], readers: [] };
    this.#byKey.set(key, this.#insert(indexed));
    return indexed;
  }

  #insert(indexed: IndexedPattern): IndexEntry {
    let node = this.#root;
    for (const name of literalPrefix(indexed.pattern)) node = childOf(node, name);
    const whole = isWhole(indexed);
    if (whole) (node.whole ??= []).push(indexed);
    else (node.open ??= new OpenPatterns()).add(indexed);
    return { indexed, node, isWhole: whole };
  }
}

/** The node itself and everything above it. */
export function* rootPath(node: IndexNode): Generator<IndexNode, void> {
  for (let at: IndexNode | undefined = node; at; at = at.parent) yield at;
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
