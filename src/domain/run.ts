import type { Instant, RunId, Sha, TaskId } from "./ids.ts";

export type RunOutcome =
  | {
      readonly kind: "succeeded";
      readonly head: Sha;
      readonly files: readonly string[];
      readonly outside: readonly string[];
      readonly notes: string;
    }
  | { readonly kind: "no-changes"; readonly notes: string }
  | { readonly kind: "out-of-scope"; readonly paths: readonly string[] }
  | { readonly kind: "verify-failed"; readonly tail: string }
  | { readonly kind: "failed"; readonly exitCode: number | undefined; readonly tail: string }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "stalled"; readonly afterMs: number }
  | { readonly kind: "provider-limited"; readonly until: Instant }
  | { readonly kind: "cancelled"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

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
}
