import type { Repository } from "./repository.ts";

/** Names an object of Git LFS as clients do. */
export interface ObjectName {
  readonly oid: string;
  readonly size: number;
}

/** Opens one object to whoever has the address. */
export interface LfsLink {
  readonly use: "download" | "upload" | "verify";
  readonly repository: Repository;
  readonly object: ObjectName;
  readonly expiresAt: number;
}
