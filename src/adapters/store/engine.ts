import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A database that speaks our tables, and how to let go of it. */
export interface Engine {
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}
