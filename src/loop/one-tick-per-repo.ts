import type { Clock } from "../ports/clock.ts";
import type { Deps } from "../ports/deps.ts";
import type { Acquired, Lease, Store } from "../ports/store.ts";
import { sleep } from "../shared/sleep.ts";
import type { LaneName, Tick } from "./lane.ts";

/** Others wait this long for a server that dies while it holds the lease. */
const LEASE_MS = 30_000;
const RETRY_AFTER_MS = 250;

/** Two renewals may fail before the lease is over. */
const RENEWALS_PER_TTL = 3;

/**
 * Lets one tick of a repository's lane run at a time, over all servers that share the store: two that read GitHub at the same moment would
 * both write the comment that is missing. An embedded store has one server, whose lanes ensure that alone.
 */
export function oneTickPerRepo(
  lane: LaneName,
  tick: Tick,
  deps: Pick<Deps, "operator" | "holder" | "store" | "clock">,
): Tick {
  if (deps.operator.store.url === undefined) return tick;
  return (repo, news) => inTurn(`${lane}:${repo}`, deps, () => tick(repo, news));
}

/** Does the work under a lease of this name, as soon as nobody else has it. */
export async function inTurn<T>(
  name: string,
  deps: Pick<Deps, "holder" | "store" | "clock">,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const taken = await withLease({ name, holder: deps.holder, ttlMs: LEASE_MS }, deps, work);
    if (taken.kind === "done") return taken.result;
    await sleep(RETRY_AFTER_MS, deps.clock);
  }
}

interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

interface LeaseDeps {
  readonly store: Pick<Store, "acquireLease" | "renewLease" | "releaseLease">;
  readonly clock: Clock;
}

type Leased<T> =
  { readonly kind: "done"; readonly result: T } | Extract<Acquired, { readonly kind: "busy" }>;

/**
 * Works under a lease and lets it go in the end; returns `busy` without a call when someone else has it. The signal is aborted when the
 * lease is lost: the store refuses whatever is written under it from then on, so this only saves useless work.
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
