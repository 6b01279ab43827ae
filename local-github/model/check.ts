import type { User } from "./account.ts";
import type { App } from "./app.ts";
import type { Repository } from "./repository.ts";

export type CheckStatus = "queued" | "in_progress" | "completed";
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale";

export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly level: string;
  readonly message: string;
}

export interface CheckOutput {
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
}

export interface CheckSuite {
  readonly kind: "check-suite";
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly app: App;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly createdAt: string;
  updatedAt: string;
}

export interface CheckRun {
  readonly kind: "check-run";
  readonly id: number;
  readonly nodeId: string;
  readonly suite: CheckSuite;
  name: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  startedAt: string | null;
  completedAt: string | null;
  externalId: string;
  detailsUrl: string;
  output: CheckOutput;
  /** People see these as buttons. */
  actions: readonly CheckAction[];
  /** Every update adds to them. */
  annotations: readonly CheckAnnotation[];
}

export type StatusState = "error" | "failure" | "pending" | "success";

export interface CommitStatus {
  readonly kind: "status";
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly sha: string;
  readonly state: StatusState;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: User;
  readonly createdAt: string;
}

export interface JobStep {
  readonly number: number;
  readonly name: string;
  readonly conclusion: CheckConclusion;
  readonly startedAt: string;
  readonly completedAt: string;
}

/** Is a job of GitHub Actions; its id is the one of its check run. */
export interface WorkflowJob {
  readonly run: CheckRun;
  readonly workflowRunId: number;
  readonly workflowName: string;
  readonly steps: readonly JobStep[];
  readonly log: string;
}

/** Opens a log for whoever has the address, for a short time. */
export interface LogLink {
  readonly log: string;
  /** It is in milliseconds since the epoch. */
  readonly expiresAt: number;
}
