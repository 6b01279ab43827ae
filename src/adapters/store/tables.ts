import type { Verdict } from "../../domain/verdict.ts";
import type { Lease, Publication } from "../../ports/store.ts";
import type { CommandRow } from "./command-row.ts";
import type { ClaimRow, FenceRow } from "./claim-row.ts";
import type { EntryRow } from "./entry-row.ts";
import type { EventRow } from "./event-row.ts";
import type { IntentRow } from "./intent-row.ts";
import type { RunRow } from "./run-row.ts";
import type { SignalRow } from "./signal-row.ts";
import type { TaskRow } from "./task-row.ts";
import type { TrainRow } from "./train-row.ts";

/** Tables that follow from the events alone, except for a run's heartbeat. */
export interface ProjectedTables {
  readonly tasks: TaskRow;
  readonly runs: RunRow;
  readonly entries: EntryRow;
  readonly intents: IntentRow;
  readonly trains: TrainRow;
  readonly verdicts: Verdict;
  readonly claims: ClaimRow;
  readonly fences: FenceRow;
  readonly commands: CommandRow;
}

/** In memory members are camelCase, in the database columns are snake_case. */
export interface Tables extends ProjectedTables {
  readonly signals: SignalRow;
  readonly publications: Publication;
  readonly events: EventRow;
  readonly leases: Lease;
}
