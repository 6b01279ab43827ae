import type { IndexedPattern } from "./conflict-pattern.ts";
import { eachDirectory } from "./conflict-pattern.ts";

interface Group {
  readonly patterns: IndexedPattern[];
  weight: number;
}

/** The cost of comparing two patterns; that of two with over thirty special characters each is more. */
export const ORDINARY_COST = 1024;

/** Patterns of one node that go on with something special, found by how their paths end. */
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

  /** Every pattern here that the given one could meet, some of them twice. */
  candidates(indexed: IndexedPattern): readonly Group[] {
    const { ending, fileName } = indexed;
    if (ending === undefined) return [this.#all];
    const groups = [this.#anyEnding];
    if (fileName === undefined) addIf(groups, this.#byEnding.get(ending));
    else {
      addIf(groups, this.#magicByEnding.get(ending));
      addIf(groups, this.#byFileName.get(fileName));
      // A claim on a file also meets what is declared below a directory of that name, and the other way round.
      addIf(groups, this.#byDirectory.get(fileName));
    }
    if (this.#byFileName.size > 0) {
      eachDirectory(indexed, (name) => addIf(groups, this.#byFileName.get(name)));
    }
    return groups;
  }

  /** What it takes to find all that the pattern meets here. */
  cost(indexed: IndexedPattern): number {
    let cost = 0;
    for (const { patterns, weight } of this.candidates(indexed)) {
      cost += patterns.length * ORDINARY_COST + indexed.weight * weight;
    }
    return cost;
  }
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
