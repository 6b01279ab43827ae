import { isDeepStrictEqual } from "node:util";
import type { Candidate, Entry } from "../../../src/domain/entry.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Check } from "./check.ts";
import { isPaths } from "./history.ts";
import type { History } from "./history.ts";
import type { ModelPull } from "./model-hub.ts";

/** The base branch about to be moved by us. */
export interface BaseMove {
  readonly before: Sha;
  readonly after: Sha;
  /** What was written down as landing by this commit. */
  readonly landing: readonly Entry[];
  readonly candidate: Candidate | undefined;
  readonly objects: History;
  readonly isGreen: (tree: Sha) => boolean;
}

/** However the base is moved. */
export const EVERY_MOVE: readonly Check<BaseMove>[] = [
  { name: "I1: what moves the base is landing", holds: ({ candidate }) => candidate !== undefined },
  {
    name: "I8: no landing without evidence",
    holds: ({ landing }) => landing.every(({ evidence }) => evidence?.verdict === "green"),
  },
];

/** Where we move it ourselves, and not GitHub for us. */
export const EXACT_MOVE: readonly Check<BaseMove>[] = [
  {
    name: "I3: nothing comes along that is not landing itself",
    holds: ({ candidate, landing }) => candidate?.steps.length === landing.length,
  },
  {
    name: "I1: only from the base that it was verified on",
    holds: ({ candidate, before }) => candidate?.base === before,
  },
  {
    name: "I1: only to the commit that was verified",
    holds: ({ candidate, after }) => candidate?.commit === after,
  },
  {
    name: "I1: only forward",
    holds: ({ objects, before, after }) => objects.isAncestor(before, after),
  },
  {
    name: "I2: the landed tree is the verified tree",
    holds: ({ objects, after, landing }) =>
      landing[0]?.evidence?.candidate.tree === objects.commitOf(after).tree,
  },
  {
    name: "I8: a red tree never lands",
    holds: ({ objects, after, isGreen }) => isGreen(objects.commitOf(after).tree),
  },
  { name: "I6: a landing is its parent plus the change", holds: isSumOfSteps },
];

function isSumOfSteps({ before, candidate, objects }: BaseMove): boolean {
  const steps = candidate?.steps ?? [];
  return steps.every(({ head, commit }, at) =>
    isParentPlus({ onto: steps[at - 1]?.commit ?? before, head, commit }, objects),
  );
}

export function isParentPlus(
  { onto, head, commit }: { readonly onto: Sha; readonly head: Sha; readonly commit: Sha },
  objects: History,
): boolean {
  const merged = objects.merge(onto, head);
  return (
    !isPaths(merged) && isDeepStrictEqual(merged, objects.files(objects.commitOf(commit).tree))
  );
}

interface LandingEntry {
  readonly entry: Entry;
  readonly pull: ModelPull | undefined;
  /** Whether the base has a landing of the same head already. */
  readonly again: boolean;
}

export const LANDING_ENTRY: readonly Check<LandingEntry>[] = [
  {
    name: "I3: only an approved head lands",
    holds: ({ entry, pull }) => pull?.approvals.has(entry.head) === true,
  },
  { name: "I5: nothing lands twice", holds: ({ again }) => !again },
];
