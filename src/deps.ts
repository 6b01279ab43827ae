import type { OperatorConfig, RepoConfig } from "./config/schema.ts";
import type { RepoName, RunId, Sha, TaskId } from "./domain/ids.ts";
import type { Run } from "./domain/run.ts";
import type { Notices } from "./notices.ts";
import type { PoolEvents } from "./pool-events.ts";
import type { Clock } from "./ports/clock.ts";
import type { Files } from "./ports/files.ts";
import type { Git } from "./ports/git.ts";
import type { GitHub } from "./ports/github.ts";
import type { Host } from "./ports/host.ts";
import type { Log } from "./ports/log.ts";
import type { Processes } from "./ports/processes.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { Store } from "./ports/store.ts";
import type { FinishingRoom } from "./runner/finishing-room.ts";
import type { KeyedQueue } from "./shared/keyed-queue.ts";
import type { Verification } from "./train/verification.ts";
import type { PortRanges } from "./workspace/ports.ts";

/** One repository as the stages see it. */
export interface RepoContext {
  readonly repo: RepoName;
  /** The branch that changes land on. */
  readonly base: string;
  readonly config: RepoConfig;
}

/** What woke a tick: news from GitHub make it read GitHub again, news of our own do not. */
export type WakeReason = "github-changed" | "we-changed";

/** Work that outlives a tick. Its end is written to the store and wakes the repository. */
export interface Background {
  /** Runs under way on this host, in any repository. */
  running(): readonly Run[];
  /** These count as under way from now on, although nobody has begun them; until the returned function is called. */
  reserve(runs: readonly Run[]): () => void;
  startRun(context: RepoContext, run: Run): void;
  /** Goes on with the runs of the repository that an earlier life of the app began. */
  resumeRuns(context: RepoContext): Promise<void>;
  /** Takes the best candidate of the task's attempt: opens its pull request, or lets the failure policy decide. */
  promote(context: RepoContext, task: TaskId): void;
  /** The run ends as cancelled; one that is not under way here is ignored. */
  cancelRun(run: RunId, reason: string): void;
  startVerification(context: RepoContext, verification: Verification): void;
  /** Nobody waits for its verdict any more; one that is not under way here is ignored. */
  stopVerification(commit: Sha): void;
}

/** Everything that a stage may do to the world. */
export interface Deps {
  readonly github: GitHub;
  readonly store: Store;
  readonly git: Git;
  readonly processes: Processes;
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly files: Files;
  readonly ports: PortRanges;
  readonly finishing: FinishingRoom;
  /** One write at a time for each place that people see. */
  readonly publishing: KeyedQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly operator: OperatorConfig;
  /** The login under which the app's own writes and commits appear. */
  readonly botLogin: string;
  /** Names this process among all that share the store. */
  readonly holder: string;
  /** What people call this server. */
  readonly hostName: string;
  readonly background: Background;
  readonly pool: PoolEvents;
  wake(repo: RepoName, reason: WakeReason): void;
  /** A slot came free: only what could start is looked at, so that it is at once. */
  fillSlots(repo: RepoName): void;
  /** Other servers on the same store look at the repository soon; a word that is lost costs them a timer. */
  wakeOthers(repo: RepoName): void;
}
