import type { Deps } from "./deps.ts";
import { taskId } from "./domain/ids.ts";
import type { RepoName, TaskId } from "./domain/ids.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import type { Notices } from "./notices.ts";

/** On record in a store that took the place of another: what is on GitHub is looked for before it is made. */
const LOST = "store:lost";

interface Surroundings {
  readonly store: Pick<Store, "publication" | "savePublication">;
  readonly notices: Pick<Notices, "tell">;
  readonly log: Log;
}

/** The store does not know of something that an earlier life of the app must have written into it. */
export async function noteLostStore(evidence: string, deps: Surroundings): Promise<void> {
  deps.log.error({ reason: evidence }, "the store was lost");
  deps.notices.tell(
    `the store, or the newest part of it, was lost: ${evidence}; cards that were at work are taken up again, counts and history begin anew (docs/store.md says how to restore a copy)`,
  );
  await deps.store.savePublication({ key: LOST, remoteId: "", digest: "" });
}

export async function wasStoreLost({ store }: Pick<Deps, "store">): Promise<boolean> {
  return (await store.publication(LOST)) !== undefined;
}

/** Holds the data folder against the store, before anything is cleared from it. */
export async function lookForLostStore(deps: Deps, mirrors: readonly RepoName[]): Promise<void> {
  const homes = (await deps.host.listHomes()).map(taskOfHome).filter(isOfIssue);
  const known = homes.length === 0 ? new Map() : await deps.store.taskStates(homes);
  const unknown = homes.filter((task) => !known.has(task));
  const isNew = (await deps.store.events(0, 1)).length === 0;
  const evidence = evidenceOf({ unknown, mirrors, isNew });
  if (evidence !== undefined) await noteLostStore(evidence, deps);
}

/** HOMEs are called after tasks; candidates have their number behind it. */
export function taskOfHome(home: string): TaskId {
  return taskId(home.replace(/(?<=#\d+)\.c\d+$/, ""));
}

/** A verification has one by its own name. */
function isOfIssue(task: TaskId): boolean {
  return /^[^#]+\/[^#]+#\d+$/.test(task);
}

interface Traces {
  readonly unknown: readonly TaskId[];
  readonly mirrors: readonly RepoName[];
  readonly isNew: boolean;
}

function evidenceOf({ unknown, mirrors, isNew }: Traces): string | undefined {
  if (unknown[0] !== undefined) return `it does not know ${unknown[0]}, which was at work here`;
  if (isNew && mirrors[0] !== undefined) return `it is empty, but ${mirrors[0]} was worked on here`;
  return undefined;
}
