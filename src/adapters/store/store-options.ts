import type { Instant } from "../../domain/ids.ts";
import type { Store, WakeUps } from "../../ports/store.ts";
import type { SqlStoreOptions } from "./sql-store.ts";

export type StorePlace =
  /** One process owns this folder. It is made when it is not there. */
  | { readonly kind?: "embedded"; readonly path: string }
  /** Many processes share this database. */
  | { readonly kind: "postgres"; readonly url: string };

export type OwnStoreOptions = Extract<StorePlace, { readonly path: string }> & SqlStoreOptions;

/** A shared store goes by the database's clock unless another is given. */
export type SharedStoreOptions = Extract<StorePlace, { readonly url: string }> &
  Partial<SqlStoreOptions>;

export type StoreOptions = OwnStoreOptions | SharedStoreOptions;

export interface OpenStore extends Store {
  readonly wakeUps: WakeUps;
  /** Leases and heartbeats go by this clock. Whoever compares times with those in the store must ask it. */
  readonly now: () => Instant;
}
