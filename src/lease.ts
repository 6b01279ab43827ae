import type { Clock } from "./ports/clock.ts";
import type { Acquired, Lease, Store } from "./ports/store.ts";

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export interface LeaseDeps {
  readonly store: Pick<Store, "acquireLease" | "renewLease" | "releaseLease">;
  readonly clock: Clock;
}

export type Leased<T> =
  { readonly kind: "done"; readonly result: T } | Extract<Acquired, { readonly kind: "busy" }>;

/** Two renewals may fail before the lease is over. */
const RENEWALS_PER_TTL = 3;

/**
 * Works under a lease and lets it go in the end; `busy` without a call when someone else has it. The signal is aborted when the lease
 * is lost: what is written under it from then on is refused by the store, so this only saves useless work.
 */
export async function withLease<T>(
  { name, holder, ttlMs }: LeaseRequest,
  { store, clock }: LeaseDeps,
  work: (lease: Lease, signal: AbortSignal) => Promise<T>,
): Promise<Leased<T>> {
  const acquired = await store.acquireLease(name, holder, ttlMs);
  if (acquired.kind === "busy") return acquired;
  const lost = new AbortController();
  const stop = keepRenewed({ lease: acquired.lease, ttlMs, lost }, { store, clock });
  try {
    return { kind: "done", result: await work(acquired.lease, lost.signal) };
  } finally {
    stop();
    await store.releaseLease(acquired.lease);
  }
}

interface Renewal {
  readonly lease: Lease;
  readonly ttlMs: number;
  readonly lost: AbortController;
}

function keepRenewed({ lease, ttlMs, lost }: Renewal, { store, clock }: LeaseDeps): () => void {
  let expiresAt = lease.expiresAt;
  let stopped = false;
  let cancel = (): void => undefined;
  const wait = (): void => {
    cancel = clock.after(ttlMs / RENEWALS_PER_TTL, () => void renew());
  };
  const renew = async (): Promise<void> => {
    const renewed = await store.renewLease(lease, ttlMs).catch(() => "unknown" as const);
    if (stopped) return;
    if (renewed !== "unknown" && renewed !== undefined) expiresAt = renewed.expiresAt;
    // A store that does not answer may answer again before the lease is over.
    if (renewed === undefined || clock.now() >= expiresAt) lost.abort();
    else wait();
  };
  wait();
  return () => {
    stopped = true;
    cancel();
  };
}
