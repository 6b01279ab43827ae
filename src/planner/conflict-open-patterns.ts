import { fileNameOf } from "../domain/claim/path-pattern.ts";
import type { IndexedPattern } from "./conflict-pattern.ts";
import { directoryNames, patternWeight } from "./conflict-pattern.ts";

interface Group {
  readonly patterns: IndexedPattern[];
  weight: number;
}

/** Patterns under one directory that start with something special, found by the file name that they end with. */
export class OpenPatterns {
  readonly #all = emptyGroup();
  readonly #unnamed = emptyGroup();
  readonly #byFileName = new Map<string, Group>();
  readonly #byDirectory = new Map<string, Group>();

  get patterns(): readonly IndexedPattern[] {
    return this.#all.patterns;
  }

  add(indexed: IndexedPattern): void {
    const weight = patternWeight(indexed.pattern);
    const fileName = fileNameOf(indexed.pattern);
    addTo(this.#all, indexed, weight);
    if (fileName === undefined) {
      addTo(this.#unnamed, indexed, weight);
      return;
    }
    addTo(groupIn(this.#byFileName, fileName), indexed, weight);
    for (const name of directoryNames(indexed.pattern)) {
      addTo(groupIn(this.#byDirectory, name), indexed, weight);
    }
  }

  /** Every pattern here that the given one could meet, some of them twice. */
  candidates({ pattern }: IndexedPattern): readonly Group[] {
    const fileName = fileNameOf(pattern);
    if (fileName === undefined) return [this.#all];
    const named = [this.#byFileName.get(fileName), this.#byDirectory.get(fileName)];
    const above = directoryNames(pattern).map((name) => this.#byFileName.get(name));
    return [this.#unnamed, ...named, ...above].filter((group) => group !== undefined);
  }

  /** How many ordinary comparisons finding the meetings of a pattern costs here. */
  cost(indexed: IndexedPattern): number {
    const own = patternWeight(indexed.pattern);
    return this.candidates(indexed).reduce(
      (sum, { patterns, weight }) => sum + patterns.length + (own * weight) / ORDINARY_PRODUCT,
      0,
    );
  }
}

/** Two patterns of thirty special characters each are ordinary. */
const ORDINARY_PRODUCT = 1024;

function emptyGroup(): Group {
  return { patterns: [], weight: 0 };
}

function groupIn(groups: Map<string, Group>, name: string): Group {
  const group = groups.get(name) ?? emptyGroup();
  groups.set(name, group);
  return group;
}

function addTo(group: Group, indexed: IndexedPattern, weight: number): void {
  group.patterns.push(indexed);
  group.weight += weight;
}
