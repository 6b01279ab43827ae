import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import type { Check } from "./check.ts";
import type { Objects } from "./objects.ts";

/** An entry that the store has just let into another state. */
export interface Moved {
  readonly entry: Entry;
  readonly memory: RepoMemory;
  readonly objects: Objects;
  readonly isGreen: (tree: Sha) => boolean;
  /** Whether the repository is paused. */
  readonly paused: boolean;
  /** Whether the train stood already when the pass that writes this began. */
  readonly stood: boolean;
  /** Whether its pull request was as approved at some moment of the last look before the landing. */
  readonly looked: boolean;
  /** Whether approval and head were right at some moment after the verification. */
  readonly readAgain: boolean;
}

type Checks = Partial<Record<Entry["state"], readonly Check<Moved>[]>>;

export const MOVED: Checks = {
  verifying: [{ name: "I11: a train that stands starts nothing", holds: ({ stood }) => !stood }],
  landing: [
    {
      name: "I11: nothing lands while paused or halted",
      holds: ({ memory }) => memory.trains[0]?.state === "running",
    },
    { name: "I11: nothing lands in a repository that is paused", holds: ({ paused }) => !paused },
    { name: "I9: what was withdrawn before the last look does not land", holds: (m) => m.looked },
    { name: "I9: what was withdrawn while verifying does not land", holds: (m) => m.readAgain },
  ],
  rejected: [
    { name: "P7: blamed alone", holds: ({ entry }) => !isBlamed(entry) || stepsOf(entry) === 1 },
    {
      name: "P7: blamed for a tree that is red",
      holds: ({ entry, isGreen }) => !isBlamed(entry) || !isGreen(entry.evidence!.candidate.tree),
    },
    { name: "P7: blamed on a base that is green", holds: isBaseGreen },
  ],
  landed: [{ name: "I7: what it depends on is not behind it", holds: isInOrder }],
};

export const RECORDED: readonly Check<RepoMemory>[] = [
  {
    name: "I4: one batch lands at a time",
    holds: ({ entries }) =>
      new Set(entries.flatMap(({ state, batch }) => (state === "landing" ? [batch] : []))).size <=
      1,
  },
];

function isBlamed({ evidence }: Entry): boolean {
  return evidence?.verdict === "red";
}

function stepsOf({ evidence }: Entry): number {
  return evidence?.candidate.steps.length ?? 0;
}

function isBaseGreen({ entry, objects, isGreen }: Moved): boolean {
  if (entry.evidence?.verdict !== "red") return true;
  return isGreen(objects.commitOf(entry.evidence.candidate.base).tree);
}

function isInOrder({ entry, memory }: Moved): boolean {
  const needed = memory.tasks.find(({ id }) => id === entry.task)?.spec.dependsOn ?? [];
  return !memory.entries.some(
    (other) =>
      needed.includes(other.task) &&
      isOpenEntry(other.state) &&
      other.enqueuedAt <= entry.enqueuedAt,
  );
}
