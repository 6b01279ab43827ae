import { replay } from "../../../src/adapters/store/events/replay.ts";
import { canonicalJson } from "../../../src/adapters/store/rows/columns.ts";
import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import { isPlanned } from "../../../src/domain/task.ts";
import type { Task } from "../../../src/domain/task.ts";
import { sortedMemory } from "../../adapters/store/sorted-memory.ts";
import { isParentPlus } from "./base-move-checks.ts";
import type { Check } from "./check.ts";
import type { WatchedHub, WatchedStore } from "./watched.ts";

export interface Landed {
  readonly head: Sha;
  readonly commit: Sha;
}

/** When all is calm again. */
export interface End {
  readonly hub: WatchedHub;
  readonly store: WatchedStore;
  readonly landed: readonly Landed[];
  /** Every commit that would have landed something. */
  readonly built: ReadonlySet<Sha>;
}

export const AT_THE_END: readonly Check<End>[] = [
  { name: "I14: the events rebuild the state", holds: isRebuilt },
  { name: "I5: nothing lands twice", holds: isLandedOnce },
  { name: "I12: everything in the train came to an end", holds: isEmpty },
  { name: "I12: every task has an end or waits for a person", holds: isSettled },
  { name: "no open pull request is left at a commit of ours", holds: isNobodyMisled },
  { name: "landed means a commit that exists", holds: isLandedSomewhere },
  { name: "P3: the history is one change after the other, each whole", holds: isSerial },
];

function isRebuilt({ store }: End): boolean {
  const [replayed, kept] = [replay(store.events), store.memory()].map((memory) =>
    canonicalJson(sortedMemory({ ...memory, fence: 0 })),
  );
  return replayed === kept;
}

function isLandedOnce({ landed, hub }: End): boolean {
  const heads = landed.flatMap(({ head, commit }) =>
    hub.objects.isAncestor(commit, hub.tip) ? [head] : [],
  );
  return new Set(heads).size === heads.length;
}

function isEmpty({ store }: End): boolean {
  return !store.memory().entries.some(({ state }) => isOpenEntry(state));
}

function isSettled({ hub, store }: End): boolean {
  return store.memory().tasks.every((task) => isTaskSettled(task, hub));
}

function isTaskSettled({ state, pull: number }: Task, hub: WatchedHub): boolean {
  if (!isPlanned(state) || state === "waiting" || state === "review") return true;
  const pull = hub.pulls.get(number ?? 0);
  return pull?.state !== "open" || pull.draft || pull.approvedHead !== pull.head;
}

function isNobodyMisled({ hub, built }: End): boolean {
  return ![...hub.pulls.values()].some(
    ({ state, head }) => state === "open" && built.has(head) && !hub.movedLate.has(head),
  );
}

function isLandedSomewhere({ hub, store }: End): boolean {
  return store
    .memory()
    .tasks.every(({ state, landedSha }) =>
      state !== "landed" || landedSha === undefined ? true : hub.objects.has(landedSha),
    );
}

/** Every commit on the line of first parents is one landed change on top of the one before, or someone else's own push. */
function isSerial({ hub, landed }: End): boolean {
  const line = hub.objects.history(hub.tip).toReversed();
  return line.every((commit, at) => {
    const onto = line[at - 1];
    if (onto === undefined || hub.pushed.has(commit)) return true;
    const landing = landed.find((one) => one.commit === commit);
    return landing !== undefined && isParentPlus({ onto, ...landing }, hub.objects);
  });
}
