import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import { AppError } from "../shared/app-error.ts";
import { entryMoved, verifyingReason } from "./entry-changes.ts";
import type { Verifying } from "./verifying.ts";

/** Has the entries under verification name the checks that are still missing, if that is news. */
export async function tellMissing(
  { context, commit }: Pick<Verifying, "context" | "commit">,
  missing: string,
  deps: Deps,
): Promise<void> {
  const { entries } = await deps.store.readRepo(context.repo);
  const members = entries.filter(
    ({ state, candidate }) => state === "verifying" && candidate?.commit === commit,
  );
  const at = deps.clock.now();
  const changes = members.flatMap((entry) => explained(entry, { members, missing, at }));
  if (changes.length === 0) return;
  try {
    await deps.store.record(context.repo, changes);
    deps.wake(context.repo, "we-changed");
  } catch (error) {
    // The train moved one of them meanwhile: what it says of it is newer.
    if (!(error instanceof AppError && error.code === "store-conflict")) throw error;
  }
}

function explained(
  entry: Entry,
  now: { readonly members: readonly Entry[]; readonly missing: string; readonly at: Instant },
): readonly Change[] {
  const { members, missing, at } = now;
  if (entry.candidate === undefined) return [];
  const inOrder = members.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const reason = verifyingReason(inOrder, entry.candidate, missing);
  return entry.reason === reason ? [] : [entryMoved(entry, "verifying", { reason, at })];
}
