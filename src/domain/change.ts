import type { Claim } from "./claim/claim.ts";
import type { Entry, EntryState } from "./entry.ts";
import type {
  Exploration,
  ExplorationEnd,
  ExplorationState,
  ExploreStop,
  Level,
} from "./exploration.ts";
import type { GivenCommand } from "./given-command.ts";
import type {
  BatchId,
  EntryId,
  ExplorationId,
  Instant,
  RepoName,
  RunId,
  Sha,
  TaskId,
  TrainId,
} from "./ids.ts";
import type { Run, RunOutcome, RunnerLift, Usage } from "./run.ts";
import type { AskedRework, ClaimHold, Task, TaskSpec, TaskState } from "./task.ts";
import type { HaltCause, Train, TrainState } from "./train.ts";
import type { Verdict } from "./verification.ts";

/**
 * The store can be told these facts. A change is written together with its event, so the event log replays to the same state.
 * `from` is a guard: a change whose guard no longer holds is refused as a whole with its batch.
 */
export type Change =
  | { readonly kind: "task-added"; readonly task: Task }
  | {
      readonly kind: "task-respecified";
      readonly task: TaskId;
      readonly spec: TaskSpec;
      readonly specHash: string;
      readonly at: Instant;
    }
  | {
      /** It says who accepted which text, or what somebody did without the right to it. */
      readonly kind: "task-vouched";
      readonly task: TaskId;
      readonly set: TrustPatch;
      readonly at: Instant;
    }
  | {
      readonly kind: "task-moved";
      readonly task: TaskId;
      readonly from: TaskState;
      readonly to: TaskState;
      readonly reason: string;
      readonly at: Instant;
      readonly set: TaskPatch;
    }
  | {
      /** It says what a run should go on with, or that nobody asks for one any more. */
      readonly kind: "rework-asked";
      readonly task: TaskId;
      readonly rework: AskedRework | null;
      readonly at: Instant;
    }
  | {
      readonly kind: "task-explained";
      readonly task: TaskId;
      readonly reason: string;
      readonly wave: number | undefined;
      /** It goes on by itself then; what was known of that stays as it is where this is left out. */
      readonly notBefore?: Instant;
      readonly at: Instant;
    }
  | { readonly kind: "run-queued"; readonly run: Run }
  | {
      readonly kind: "run-started";
      readonly run: RunId;
      readonly workspace: string;
      readonly baseSha: Sha;
      readonly logPath: string;
      readonly at: Instant;
    }
  | { readonly kind: "agent-ended"; readonly run: RunId; readonly at: Instant }
  | {
      readonly kind: "run-finished";
      readonly run: RunId;
      readonly outcome: RunOutcome;
      readonly usage?: Usage;
      readonly session?: string;
      readonly at: Instant;
    }
  | { readonly kind: "entry-added"; readonly entry: Entry }
  | {
      readonly kind: "entry-moved";
      readonly entry: EntryId;
      readonly from: EntryState;
      readonly to: EntryState;
      readonly reason: string;
      readonly at: Instant;
      readonly set: EntryPatch;
    }
  | { readonly kind: "train-added"; readonly train: Train }
  | {
      readonly kind: "train-moved";
      readonly train: TrainId;
      readonly from: TrainState;
      readonly to: TrainState;
      /** This guards a writer who read more than the row: a train that was resumed and paused again is in the same state, but it is not the same pause. */
      readonly unchangedSince?: Instant;
      readonly reason: string;
      readonly at: Instant;
      readonly set: TrainPatch;
    }
  | {
      /** The run was taken, and its work was put on another base. */
      readonly kind: "run-rebased";
      readonly run: RunId;
      readonly outcome: RunOutcome;
      readonly at: Instant;
    }
  | { readonly kind: "exploration-opened"; readonly exploration: Exploration }
  | {
      readonly kind: "exploration-moved";
      readonly exploration: ExplorationId;
      readonly from: ExplorationState;
      readonly to: ExplorationState;
      /** Two levels are the same state: whoever closes one names the moment at which it was opened. */
      readonly unchangedSince: Instant;
      readonly at: Instant;
      readonly set: ExplorationPatch;
    }
  | { readonly kind: "verdict-given"; readonly verdict: Verdict }
  | { readonly kind: "runner-lifted"; readonly lift: RunnerLift }
  | {
      readonly kind: "intent-opened";
      readonly intent: Intent;
    }
  | {
      readonly kind: "intent-closed";
      readonly key: string;
      readonly result: string;
      readonly at: Instant;
    }
  | {
      /** `hold.fence` is one more than the repository's: if another taking or extension came first, that one has won. */
      readonly kind: "claims-taken";
      readonly hold: ClaimHold;
    }
  | {
      readonly kind: "claims-extended";
      readonly task: TaskId;
      readonly run: RunId;
      /** The hold keeps this fence, so a proof that names it stays valid. */
      readonly fence: number;
      /** It is one more than the repository's fence. */
      readonly next: number;
      readonly add: readonly Claim[];
      readonly at: Instant;
    }
  | { readonly kind: "command-given"; readonly command: GivenCommand }
  | { readonly kind: "command-done"; readonly command: string; readonly at: Instant }
  | RepoRenamed
  | TaskCompacted
  | EventsFolded;

/** Everything that is known of the repository goes by the new name from then on. */
export interface RepoRenamed {
  readonly kind: "repo-renamed";
  readonly id: number;
  readonly from: RepoName;
  readonly to: RepoName;
  readonly at: Instant;
}

/** It stands for all events of a task that ended long ago; only compaction writes it. */
export interface TaskCompacted {
  readonly kind: "task-compacted";
  readonly task: Task;
  readonly runs: readonly Run[];
  readonly entries: readonly Entry[];
  readonly explorations: readonly Exploration[];
  /** It is the highest fence that the folded events took, or 0 if they took none. */
  readonly fence: number;
  /** `digest` covers the folded events' hashes in their order: it proves an archived copy of them. */
  readonly replaces: { readonly events: number; readonly digest: string };
  readonly at: Instant;
}

/** It stands where folded events stood, from `first` to its own number, and keeps the hash of the last one. */
export interface EventsFolded {
  readonly kind: "events-folded";
  readonly first: number;
  readonly at: Instant;
}

/** Only the members that are present are written; `null` clears. */
export interface TaskPatch {
  readonly attempts?: number;
  readonly failures?: number;
  readonly notBefore?: Instant | null;
  readonly branch?: string;
  readonly pull?: number | null;
  readonly landedSha?: Sha;
  readonly cardId?: string;
  readonly readySince?: Instant;
  readonly wave?: number | null;
}

export interface TrustPatch {
  readonly acceptedBy?: string | null;
  readonly acceptedAt?: Instant;
  readonly acceptedText?: string;
  readonly disregarded?: string | null;
  readonly strayedAt?: Instant;
}

export interface EntryPatch {
  readonly batch?: BatchId | null;
  readonly place?: number | null;
  readonly candidate?: Entry["candidate"] | null;
  readonly evidence?: Entry["evidence"] | null;
  readonly notBefore?: Instant | null;
  readonly refusedUnder?: string;
  readonly landedSha?: Sha;
}

export interface ExplorationPatch {
  readonly levels?: readonly Level[];
  readonly stop?: ExploreStop;
  readonly end?: ExplorationEnd;
}

export interface TrainPatch {
  readonly by?: string | null;
  readonly cause?: HaltCause | null;
  readonly haltedAt?: Sha | null;
  readonly tail?: string | null;
  readonly logPath?: string | null;
  readonly size?: number;
  readonly suspects?: Train["suspects"];
  readonly verdicts?: string;
  readonly redsFrom?: Instant;
}

/** An intent is written before an effect that cannot be repeated; recovery reads the world to learn whether it happened. */
export interface Intent {
  readonly key: string;
  readonly repo: RepoName;
  readonly kind: "open-pull-request" | "land" | "finish-landing" | "decompose";
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number>>;
  readonly openedAt: Instant;
}
