import type { Kysely } from "kysely";
import type { RepoNaming } from "../../../domain/ids.ts";
import type { RunnerLift } from "../../../domain/run.ts";
import type { Verdict } from "../../../domain/verification.ts";
import type { Lease, Publication } from "../../../ports/store.ts";
import type { Columns } from "./columns.ts";
import type { ExplorationRow } from "./exploration-rows.ts";
import type { EventRow } from "./event-row.ts";
import type { CommandRow, SignalRow } from "./intake-rows.ts";
import type { EntryRow, TrainRow } from "./train-rows.ts";
import type { ClaimRow, FenceRow, IntentRow, RunRow, TaskRow } from "./work-rows.ts";

/** The contents of these tables follow from the events alone, except for a run's heartbeat. */
export interface ProjectedTables {
  readonly tasks: TaskRow;
  readonly runs: RunRow;
  readonly explorations: ExplorationRow;
  readonly entries: EntryRow;
  readonly intents: IntentRow;
  readonly trains: TrainRow;
  readonly verdicts: Verdict;
  readonly runnerLifts: RunnerLift;
  readonly claims: ClaimRow;
  readonly fences: FenceRow;
  readonly commands: CommandRow;
}

/** Members are camelCase in memory, and columns are snake_case in the database. */
export interface Tables extends ProjectedTables {
  readonly signals: SignalRow;
  readonly publications: Publication;
  readonly events: EventRow;
  readonly leases: Lease;
  readonly repoNames: RepoNameRow;
}

/** It says how a repository is or was called. The number is GitHub's. */
export type RepoNameRow = Columns<RepoNaming>;

/** This is a database that has our tables, with a way to close it. */
export interface Engine {
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** Cuts a list into slices, because engines limit how many values one statement may carry: 500 is below every limit. */
export function slices<T>(values: readonly T[], size = 500): T[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, i) => values.slice(i * size, (i + 1) * size));
}
