import type { Instant, RunId, Sha, TaskId } from "./ids.ts";
import type { Rework } from "./rework.ts";
import type { Usage } from "./usage.ts";

export type RunOutcome =
  | {
      readonly kind: "succeeded";
      readonly head: Sha;
      readonly files: readonly string[];
      readonly outside: readonly string[];
      readonly notes: string;
      /** Of a candidate, by the repository's score command. */
      readonly score?: number;
    }
  | { readonly kind: "no-changes"; readonly notes: string }
  | { readonly kind: "out-of-scope"; readonly paths: readonly string[] }
  | { readonly kind: "verify-failed"; readonly tail: string }
  | { readonly kind: "failed"; readonly exitCode: number | undefined; readonly tail: string }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "stalled"; readonly afterMs: number }
  /** `fresh`: there was too much before anything ran. */
  | { readonly kind: "disk-limit"; readonly limitBytes: number; readonly fresh?: true }
  /** `until` is undefined when the provider does not say when its limit ends. */
  | { readonly kind: "provider-limited"; readonly until: Instant | undefined }
  | { readonly kind: "cancelled"; readonly reason: string }
  /**
   * `interrupted`: because the app stopped, which is nobody's failure. `vanished`: killed with its supervision while the app looked
   * on, which an agent can do by itself.
   */
  | {
      readonly kind: "lost";
      readonly reason: string;
      readonly interrupted?: true;
      readonly vanished?: true;
    };

/** How a run ends when it is told to stop. */
export type StopOutcome = Extract<RunOutcome, { kind: "cancelled" | "lost" }>;

export type RunState = "queued" | "running" | "finished";

/** Whether nothing was heard of an unfinished run for so long that it may be given up. */
export function isStale(run: Run, now: Instant, staleAfterMs: number): boolean {
  return run.state !== "finished" && (run.heartbeatAt ?? run.queuedAt) < now - staleAfterMs;
}

/** One attempt of one runner at one task. The row exists before anything starts. */
export interface Run {
  readonly id: RunId;
  readonly task: TaskId;
  readonly specHash: string;
  readonly attempt: number;
  /** Its number among those of the attempt, from 1. */
  readonly candidate: number;
  /** Undefined for one that starts over from the base branch. */
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
  /** Undefined where the runner tells nothing. */
  readonly usage: Usage | undefined;
  /** The runner's name of its conversation: a later run of the task may go on with it. */
  readonly session: string | undefined;
  /** The server that works on it, by its name; runs from before servers had names have none. */
  readonly host?: string | undefined;
  /** Its slot is free from then on: what is left is to collect, verify and publish the change. */
  readonly agentEndedAt?: Instant | undefined;
}

/** Whether the run takes a slot: its agent is at work, or about to be. */
export function takesSlot({ state, agentEndedAt }: Run): boolean {
  return state !== "finished" && agentEndedAt === undefined;
}
