import type { Instant, RunId, Sha, TaskId, RepoName } from "./ids.ts";

/** `notes` is what the runner said last, as far as it said anything; `unprepared` means that `setup` ended it, before any runner began. */
export type RunOutcome = Ending & { readonly notes?: string; readonly unprepared?: true };

type Ending =
  | {
      readonly kind: "succeeded";
      readonly head: Sha;
      readonly files: readonly string[];
      readonly outside: readonly string[];
      readonly notes: string;
      /** The repository's score command gives it to one of several runs. */
      readonly score?: number;
      /** It is the score as it is compared: higher is better. It is the score itself where this is left out. */
      readonly merit?: number;
    }
  | { readonly kind: "no-changes"; readonly notes: string }
  | {
      readonly kind: "out-of-scope";
      readonly paths: readonly string[];
      /**
       * Git LFS keeps these, which must not land so, whatever the task declares: they are `plain` files in a pointer's place, or pointers
       * with `no-content`.
       */
      readonly lfs?: "plain" | "no-content";
    }
  | { readonly kind: "verify-failed"; readonly tail: string }
  /** The score command failed, or printed no number. */
  | { readonly kind: "not-scored"; readonly tail: string }
  | { readonly kind: "failed"; readonly exitCode: number | undefined; readonly tail: string }
  /** The provider refused the runner's key, or there was none: another attempt would end alike. */
  | {
      readonly kind: "not-logged-in";
      readonly runner: string;
      /** One of these variables would log it in. The list is empty where nobody knows. */
      readonly keys: readonly string[];
      readonly tail: string;
    }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly tail?: string }
  /** `why` is the program's own error, such as that it cannot reach its provider. */
  | {
      readonly kind: "stalled";
      readonly afterMs: number;
      readonly why?: string;
      readonly tail?: string;
    }
  /** `fresh` means that there was too much before anything ran. */
  | { readonly kind: "disk-limit"; readonly limitBytes: number; readonly fresh?: true }
  /** `until` is undefined when the provider does not say when its limit ends. */
  | { readonly kind: "provider-limited"; readonly until: Instant | undefined }
  | { readonly kind: "cancelled"; readonly reason: string }
  /**
   * `interrupted` means that the app stopped, which is nobody's failure. `vanished` means that it was killed with its supervision while the app looked
   * on, which an agent can do by itself. `needsPerson` means that no run can bring the change in, because GitHub refuses it to the app.
   */
  | {
      readonly kind: "lost";
      readonly reason: string;
      readonly tail?: string;
      readonly interrupted?: true;
      readonly vanished?: true;
      readonly needsPerson?: true;
    };

/** A run ends so when it is told to stop. */
export type StopOutcome = Extract<RunOutcome, { kind: "cancelled" | "lost" }>;

export type RunState = "queued" | "running" | "finished";

/** A run is one attempt of one runner at one task. Its row exists before anything starts. */
export interface Run {
  readonly id: RunId;
  readonly task: TaskId;
  readonly specHash: string;
  readonly attempt: number;
  /** It is numbered from 1 among the runs of the attempt; the run that opens an exploration has 0. */
  readonly contender: number;
  /** It is counted from 0 among the runs of its evaluation, and left out where it is the first. */
  readonly retry?: number | undefined;
  /** It is undefined for a run that starts over from the base branch. */
  readonly rework: Rework | undefined;
  readonly runner: string;
  readonly branch: string;
  readonly state: RunState;
  readonly workspace: string | undefined;
  readonly baseSha: Sha | undefined;
  readonly logPath: string | undefined;
  readonly queuedAt: Instant;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
  readonly heartbeatAt: Instant | undefined;
  readonly outcome: RunOutcome | undefined;
  /** It is undefined where the runner tells nothing. */
  readonly usage: Usage | undefined;
  /** The runner calls its conversation so: a later run of the task may go on with it. */
  readonly session: string | undefined;
  /** This names the server that works on it; runs from before servers had names have none. */
  readonly host?: string | undefined;
  /** Its slot is free from then on: only collecting, verifying and publishing the change are left. */
  readonly agentEndedAt?: Instant | undefined;
  /** It is a digest of the runner as it was configured then: trouble of another configuration says nothing about the present one. */
  readonly definition?: string | undefined;
}
/** Says what a run cost, as far as its runner tells. */
export interface Usage {
  /** It counts all tokens that were read, those from a cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** It is undefined where the runner does not tell money. */
  readonly costUsd: number | undefined;
}
/** Feedback says something about an attempt: a review, a failed check, a conflict. */
export interface Feedback {
  readonly from: string;
  /** It is the text that people see, where it was written for a page. */
  readonly text: string;
}

export type ReworkKind = "review" | "checks";

/** Says why a run goes on with the pull request of the runs before it, instead of starting over. */
export interface Rework {
  readonly kind: ReworkKind;
  /** These names say what it answers: none of it asks for another run once this one went well. */
  readonly answers: readonly string[];
  /** Its prompt says this; it comes from trusted people only. */
  readonly feedback: readonly Feedback[];
}

/** This is a run that has ended, without its texts. Pauses, breakers, budgets and utilization are derived from it. */
export interface EndedRun {
  readonly id: RunId;
  readonly repo: RepoName;
  readonly task: TaskId;
  readonly runner: string;
  readonly queuedAt: Instant;
  readonly startedAt: Instant | undefined;
  /** Its slot was free from then on; undefined for a run that ended with its agent, or before. */
  readonly agentEndedAt?: Instant | undefined;
  readonly finishedAt: Instant;
  /** This server worked on it. */
  readonly host?: string | undefined;
  readonly kind: RunOutcome["kind"];
  /** A provider's limit is said to end then. */
  readonly until: Instant | undefined;
  /** It was lost because the app stopped: it says nothing about the runner. */
  readonly interrupted: boolean;
  /** It is a digest of the runner as it was configured then. */
  readonly definition: string | undefined;
  readonly usage: Usage | undefined;
}

/** Somebody ended the pause of a runner: what its runs met with before says nothing any more. */
export interface RunnerLift {
  readonly id: string;
  /** A run of this repository had led to the pause. The lift holds for all of them. */
  readonly repo: RepoName;
  readonly runner: string;
  readonly by: string;
  readonly at: Instant;
}

/** Says how much is under way between an agent's end and its pull request. */
export interface FinishingLoad {
  /** It counts runs whose change is not pushed yet, those in line included. */
  readonly finishing: number;
  /** It counts runs whose change is pushed and whose pull request is not open yet. */
  readonly publishing: number;
  /** The first of them waits since then. */
  readonly publishingSince: Instant | undefined;
}

/** Tells whether nothing was heard of an unfinished run for so long that it may be given up. */
export function isStale(run: Run, now: Instant, staleAfterMs: number): boolean {
  return run.state !== "finished" && (run.heartbeatAt ?? run.queuedAt) < now - staleAfterMs;
}

/** Tells whether the run takes a slot: its agent is at work, or about to be. */
export function takesSlot({ state, agentEndedAt }: Run): boolean {
  return state !== "finished" && agentEndedAt === undefined;
}
