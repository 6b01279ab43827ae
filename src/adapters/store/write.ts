import type { Claim } from "../../domain/claim.ts";
import type { Instant, RepoName, RunId, TaskId } from "../../domain/ids.ts";
import type { ProjectedTables } from "./tables.ts";

interface Insert<T extends keyof ProjectedTables> {
  readonly kind: "insert";
  readonly table: T;
  readonly row: ProjectedTables[T];
}

export interface Update<T extends keyof ProjectedTables> {
  readonly kind: "update";
  readonly table: T;
  readonly id: string;
  /** The states in which the row must be found. */
  readonly from: readonly string[] | "any";
  /** When the row must have been changed last; left out where only its state matters. */
  readonly changedAt?: Instant;
  readonly set: Partial<ProjectedTables[T]>;
}

interface Delete {
  readonly kind: "delete";
  readonly table: "intents";
  readonly id: string;
}

/** Lets go of what the task holds, if it holds anything. */
interface Release {
  readonly kind: "release";
  readonly table: "claims";
  readonly id: TaskId;
}

export interface Extend {
  readonly kind: "extend";
  readonly table: "claims";
  readonly id: TaskId;
  /** The hold must be this run's, under this number. */
  readonly run: RunId;
  readonly fence: number;
  readonly add: readonly Claim[];
}

/** The number must be one less before. */
export interface Advance {
  readonly kind: "advance";
  readonly table: "fences";
  readonly id: RepoName;
  readonly to: number;
}

/** What one change does to one row. */
export type Write =
  | { [T in keyof ProjectedTables]: Insert<T> | Update<T> }[keyof ProjectedTables]
  | Delete
  | Release
  | Extend
  | Advance;
