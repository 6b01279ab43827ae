import type { Change } from "../../../../src/domain/change.ts";
import type { RepoPause } from "../../../../src/domain/given-command.ts";
import type { Instant } from "../../../../src/domain/ids.ts";
import type {
  Lease,
  Proof,
  RecordedEvent,
  RepoMemory,
  Store,
} from "../../../../src/ports/store.ts";
import { AppError } from "../../../../src/shared/app-error.ts";
import { REPO, aMemory } from "../../../support/builders.ts";
import type { LeaseNews } from "../model-store.ts";
import type { WatchedStore } from "../watched.ts";

const ALL = 1_000_000;

/** The embedded store, and what it holds after each write. */
export class RealStore implements WatchedStore {
  readonly store: Store;
  readonly #inner: Store;
  readonly #now: () => Instant;
  readonly #leases = new Map<string, Lease>();
  #memory: RepoMemory = aMemory();
  #pause: RepoPause | undefined;
  before: RepoMemory = aMemory();
  events: readonly RecordedEvent[] = [];
  watch: WatchedStore["watch"] = () => undefined;
  watchLease: WatchedStore["watchLease"] = () => undefined;
  readonly counts: Record<LeaseNews["kind"], number> = {
    acquired: 0,
    renewed: 0,
    busy: 0,
    lost: 0,
    fenced: 0,
  };

  constructor(inner: Store, now: () => Instant) {
    this.#inner = inner;
    this.#now = now;
    this.store = {
      ...inner,
      record: (_, changes, proof) => this.#record(changes, proof),
      acquireLease: (...args) => this.#acquire(...args),
      renewLease: (...args) => this.#renew(...args),
      releaseLease: (lease) => this.#release(lease),
    };
  }

  memory(): RepoMemory {
    return this.#memory;
  }

  pauseOf(): RepoPause | undefined {
    return this.#pause;
  }

  /** Whether the process still has any lease. */
  isHolder(holder: string): boolean {
    return [...this.#leases.values()].some(
      (lease) => lease.holder === holder && lease.expiresAt > this.#now(),
    );
  }

  async readEvents(): Promise<void> {
    this.events = await this.#inner.events(0, ALL);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #record(changes: readonly Change[], proof: Proof | undefined): Promise<void> {
    const holder = proof?.kind === "lease" ? proof.lease.holder : undefined;
    try {
      await this.#inner.record(REPO, changes, proof);
    } catch (error) {
      const fenced = error instanceof AppError && error.code === "store-fenced";
      if (fenced) this.#tell("fenced", holder ?? "");
      throw error;
    }
    this.before = this.#memory;
    this.#memory = { ...(await this.#inner.readRepo(REPO)), fence: 0 };
    this.#pause = await this.#inner.pauseOf(REPO);
    this.watch(changes, this.#memory, holder);
  }

  async #acquire(...args: Parameters<Store["acquireLease"]>): ReturnType<Store["acquireLease"]> {
    const acquired = await this.#inner.acquireLease(...args);
    if (acquired.kind === "held") this.#leases.set(args[0], acquired.lease);
    this.#tell(acquired.kind === "held" ? "acquired" : "busy", args[1]);
    return acquired;
  }

  async #renew(...args: Parameters<Store["renewLease"]>): ReturnType<Store["renewLease"]> {
    const renewed = await this.#inner.renewLease(...args);
    if (renewed !== undefined) this.#leases.set(renewed.name, renewed);
    this.#tell(renewed === undefined ? "lost" : "renewed", args[0].holder);
    return renewed;
  }

  async #release(lease: Lease): Promise<void> {
    await this.#inner.releaseLease(lease);
    if (this.#leases.get(lease.name)?.fence === lease.fence) this.#leases.delete(lease.name);
  }

  #tell(kind: LeaseNews["kind"], holder: string): void {
    this.counts[kind] += 1;
    this.watchLease({ kind, holder });
  }
}
