import { taskOfHome } from "../cleanup/clear-homes.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import type { Deps } from "../ports/deps.ts";
import type { Log } from "../ports/log.ts";
import type { Notices } from "../ports/notices.ts";
import type { Store, LostStore } from "../ports/store.ts";

/** This record in a store says that it took the place of a lost one: what is on GitHub is looked for before it is made. */
const LOST = "store:lost";

interface Surroundings {
  readonly store: Pick<Store, "publication" | "savePublication">;
  readonly notices: Pick<Notices, "tell">;
  readonly log: Log;
}

export function createLostStore({ store, notices, log }: Surroundings): LostStore {
  return {
    async note(evidence) {
      log.error({ reason: evidence }, "the store was lost");
      notices.tell(
        `the store, or the newest part of it, was lost: ${evidence}; cards that were at work are taken up again, counts and history begin anew (docs/store.md says how to restore a copy)`,
      );
      await store.savePublication({ key: LOST, remoteId: "", digest: "" });
    },
    async isNoted() {
      return (await store.publication(LOST)) !== undefined;
    },
  };
}

/** Holds the data folder against the store, before anything is cleared from it. */
export async function lookForLostStore(
  deps: Pick<Deps, "host" | "store" | "lostStore">,
  mirrors: readonly RepoName[],
): Promise<void> {
  const homes = (await deps.host.listHomes()).map(taskOfHome).filter(isOfIssue);
  const known = homes.length === 0 ? new Map() : await deps.store.taskStates(homes);
  const unnamed = homes.filter((task) => !known.has(task));
  const unknown = unnamed.length === 0 ? [] : await withoutRenamed(unnamed, deps);
  const isNew = (await deps.store.events(0, 1)).length === 0;
  const evidence = evidenceOf({ unknown, mirrors, isNew });
  if (evidence !== undefined) await deps.lostStore.note(evidence);
}

/** The task of a repository that was renamed is known by its new name. */
async function withoutRenamed(
  tasks: readonly TaskId[],
  { store }: Pick<Deps, "store">,
): Promise<readonly TaskId[]> {
  const former = (await store.repoNames()).filter(({ until }) => until !== undefined);
  return tasks.filter((task) => !former.some(({ repo }) => task.startsWith(`${repo}#`)));
}

/** A verification has a HOME by its own name, which is not an issue's. */
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
