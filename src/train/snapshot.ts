import type { RepoReading } from "../domain/board.ts";
import type { Intent } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { RepoPause } from "../domain/given-command.ts";
import type { Instant, RepoName, Sha } from "../domain/ids.ts";
import type { RetryPolicy } from "../domain/retry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { TrainPolicy } from "./policy.ts";

/** The base branch as it is now. */
export interface BaseTip {
  readonly commit: Sha;
  readonly tree: Sha;
  /** What is known of its tree. */
  readonly verdict: "green" | "red" | "unknown";
}

/** Everything that the train decides on, read once. */
export interface TrainSnapshot {
  readonly repo: RepoName;
  readonly base: string;
  readonly now: Instant;
  readonly reading: RepoReading;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly runs: readonly Run[];
  readonly intents: readonly Intent[];
  /** Undefined: nothing ever was in it. */
  readonly train: Train | undefined;
  /** Of every base that the repository has had. */
  readonly trains: readonly Train[];
  /** Of the whole repository. */
  readonly pause: RepoPause | undefined;
  readonly policy: TrainPolicy;
  /** Undefined while nothing is in the train. */
  readonly tip: BaseTip | undefined;
  /** Everything that was said of the trees under verification. */
  readonly verdicts: ReadonlyMap<Sha, readonly Verdict[]>;
  readonly retry: RetryPolicy;
  /** How long a landing would wait for GitHub's budget. */
  readonly landDelayMs: number;
  /** 0 to 1, drawn for this snapshot. */
  readonly jitter: number;
}
