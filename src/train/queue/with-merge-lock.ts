import type { Change } from "../../domain/change.ts";
import type { Instant, RepoName, TrainId } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { MergeLock, Lease } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";

/** A lease lasts longer than a pass takes. A process that died holds a train up for no longer than this. */
const LEASE_MS = 2 * 60_000;

export type Locked<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "busy"; readonly until: Instant };

/** Runs `work` while no one else, in this process or another, lands on the same base branch. */
export async function withMergeLock<T>(
  train: TrainId,
  deps: Pick<Deps, "holder" | "store">,
  work: (lock: MergeLock) => Promise<T>,
): Promise<Locked<T>> {
  const acquired = await deps.store.acquireLease(`train:${train}`, deps.holder, LEASE_MS);
  if (acquired.kind === "busy") return { kind: "busy", until: acquired.until };
  const { lease } = acquired;
  try {
    return { kind: "done", value: await work(lockOf(lease)) };
  } finally {
    await deps.store.releaseLease(lease);
  }
}

/** Extends the lock. It throws when the lock was lost: whoever has it now decides anew. */
export async function renewed(lock: MergeLock, deps: Pick<Deps, "store">): Promise<MergeLock> {
  const lease = await deps.store.renewLease(lock.lease, LEASE_MS);
  if (lease === undefined) throw new AppError("store-fenced", "the train has another holder");
  return lockOf(lease);
}

/** Records changes that only the holder of the lock may write. */
export async function recordUnder(
  lock: MergeLock,
  { repo, changes }: { readonly repo: RepoName; readonly changes: readonly Change[] },
  deps: Pick<Deps, "store">,
): Promise<void> {
  await deps.store.record(repo, changes, { kind: "lease", lease: lock.lease });
}

// The brand exists only in types, and only this function gives it.
function lockOf(lease: Lease): MergeLock {
  return { lease } as MergeLock;
}
