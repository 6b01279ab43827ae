import type { Instant } from "../../domain/ids.ts";
import type { Store } from "../../ports/store.ts";
import type { WakeUps } from "../../ports/wake-ups.ts";
import type { SqlStoreOptions } from "./sql-store.ts";

export type StorePlace =
  /** A folder that one process owns; made when it is not there. */
  | { readonly kind?: "embedded"; readonly path: string }
  /** A database that many processes share. */
  | { readonly kind: "postgres"; readonly url: string };

export type OwnStoreOptions = Extract<StorePlace, { readonly path: string }> & SqlStoreOptions;

/** A shared store goes by the database's clock unless another is given. */
export type SharedStoreOptions = Extract<StorePlace, { readonly url: string }> &
  Partial<SqlStoreOptions>;

export type StoreOptions = OwnStoreOptions | SharedStoreOptions;

export interface OpenStore extends Store {
  readonly wakeUps: WakeUps;
  /** The clock that its leases and heartbeats go by: whoever compares times with what is in the store asks this one. */
  readonly now: () => Instant;
}
