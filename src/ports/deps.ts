import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { RepoName, RunId, Sha, TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Verification } from "../domain/verification.ts";
import type { KeyedQueue } from "../shared/keyed-queue.ts";
import type { Clock } from "./clock.ts";
import type { FinishingRoom } from "./finishing-room.ts";
import type { Git } from "./git.ts";
import type { GitHub } from "./github.ts";
import type { Files, Host, PortRanges } from "./host.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import type { PoolEvents } from "./pool-events.ts";
import type { Processes } from "./processes.ts";
import type { Sandbox } from "./sandbox.ts";
import type { LostStore, Store } from "./store.ts";

/** This is one repository as the stages see it. */
export interface RepoContext {
  readonly repo: RepoName;
  /** Changes land on this branch. */
  readonly base: string;
  readonly config: RepoConfig;
  /** The names of its runs begin with this. It is left out where they begin with the repository's own name. */
  readonly runNames?: string;
  /** Says whether the app may write workflow files. It is undefined where nobody has asked. */
  readonly mayWriteWorkflows?: boolean | undefined;
}

/** Says what woke a tick. News from GitHub makes it read GitHub again, our own news does not. */
export type WakeReason = "github-changed" | "we-changed";

/** Does work that outlives a tick. The end of the work is written to the store and wakes the repository. */
export interface Background {
  /** Lists the runs under way on this host, in any repository. */
  running(): readonly Run[];
  /** The runs count as under way until the returned function is called, although nobody has begun them. */
  reserve(runs: readonly Run[]): () => void;
  startRun(context: RepoContext, run: Run): void;
  /** Continues the runs of the repository that an earlier process of the app began. */
  resumeRuns(context: RepoContext): Promise<void>;
  /** Takes the best contender of the task's attempt: opens its pull request, or lets the failure policy decide. */
  promote(context: RepoContext, task: TaskId): void;
  /** Ends the run as cancelled. A run that is not under way here is ignored. */
  cancelRun(run: RunId, reason: string): void;
  startVerification(context: RepoContext, verification: Verification): void;
  /** Stops a verification whose verdict nobody waits for. One that is not under way here is ignored. */
  stopVerification(commit: Sha): void;
}

/** This is everything that a stage may do to the world. */
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
  /** Lets one write at a time go to each place that people see. */
  readonly publishing: KeyedQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly lostStore: LostStore;
  readonly operator: OperatorConfig;
  /** The app's own writes and commits appear under this login. */
  readonly botLogin: string;
  /** Names this process among all that share the store. */
  readonly holder: string;
  /** People know this server by this name. */
  readonly hostName: string;
  readonly background: Background;
  readonly pool: PoolEvents;
  wake(repo: RepoName, reason: WakeReason): void;
  /** A slot came free. This looks only at tasks that could start, so that one starts at once. */
  fillSlots(repo: RepoName): void;
  /** Makes other servers on the same store look at the repository soon. If the word is lost, their timer finds the news later. */
  wakeOthers(repo: RepoName): void;
}
