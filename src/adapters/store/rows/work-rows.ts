import type { Intent } from "../../../domain/change.ts";
import type { Claim } from "../../../domain/claim/claim.ts";
import type { Instant, RepoName, TaskId } from "../../../domain/ids.ts";
import type { Rework, Run, RunOutcome, Usage } from "../../../domain/run.ts";
import type { Task, TaskSpec, ClaimHold } from "../../../domain/task.ts";
import { canonicalJson, columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

export type TaskRow = Columns<Omit<Task, "spec" | "rework">> & {
  readonly spec: string;
  readonly rework: string | null;
};

export function taskRow(task: Task): TaskRow {
  const rework = reworkColumn(task.rework);
  return { ...columnsOf(task), spec: canonicalJson(task.spec), rework };
}

export function taskFromRow(row: TaskRow): Task {
  const spec = JSON.parse(row.spec) as TaskSpec;
  const plain = membersOf<Omit<Task, "spec" | "rework">>(row);
  return { ...plain, spec, rework: fromJson(row.rework) as Task["rework"] };
}

export function reworkColumn(rework: Rework | null | undefined): string | null {
  return rework === undefined || rework === null ? null : canonicalJson(rework);
}

function fromJson(column: string | null): unknown {
  return column === null ? undefined : JSON.parse(column);
}

interface OutcomeColumns {
  readonly outcome: string | null;
  /** The kind has its own column, so that successful runs are found by an index. */
  readonly outcomeKind: RunOutcome["kind"] | null;
}

type PlainRunMembers = Omit<
  Run,
  "outcome" | "usage" | "rework" | "contender" | "retry" | "host" | "agentEndedAt" | "definition"
>;

export type RunRow = Columns<PlainRunMembers> &
  OutcomeColumns & {
    readonly usage: string | null;
    readonly rework: string | null;
    readonly contender: number;
    readonly retry: number;
    readonly host: string | null;
    readonly agentEndedAt: Instant | null;
    readonly definition: string | null;
    readonly repo: RepoName;
  };

/** Old events, from before there were contenders and rework, do not have these members. */
type RunEver = Omit<Run, "contender" | "rework"> & Partial<Pick<Run, "contender" | "rework">>;

export function runRow(repo: RepoName, run: RunEver): RunRow {
  return {
    ...columnsOf(run),
    ...outcomeColumns(run.outcome),
    usage: usageColumn(run.usage),
    rework: reworkColumn(run.rework),
    contender: run.contender ?? 1,
    retry: run.retry ?? 0,
    host: run.host ?? null,
    agentEndedAt: run.agentEndedAt ?? null,
    definition: run.definition ?? null,
    repo,
  };
}

export function outcomeColumns(outcome: RunOutcome | undefined): OutcomeColumns {
  if (outcome === undefined) return { outcome: null, outcomeKind: null };
  return { outcome: canonicalJson(outcome), outcomeKind: outcome.kind };
}

export function usageColumn(usage: Usage | undefined): string | null {
  return usage === undefined ? null : canonicalJson(usage);
}

export function runFromRow(row: RunRow): Run {
  const plain = membersOf<PlainRunMembers>(
    without(row, "repo", "outcomeKind", "retry", "host", "agentEndedAt", "definition"),
  );
  return {
    ...plain,
    outcome: fromJson(row.outcome) as Run["outcome"],
    usage: fromJson(row.usage) as Run["usage"],
    rework: fromJson(row.rework) as Run["rework"],
    contender: row.contender,
    ...(row.retry === 0 ? {} : { retry: row.retry }),
    ...(row.host === null ? {} : { host: row.host }),
    ...(row.agentEndedAt === null ? {} : { agentEndedAt: row.agentEndedAt }),
    ...(row.definition === null ? {} : { definition: row.definition }),
  };
}

/** A task has one hold of claims, so the row's id is the task's. */
export type ClaimRow = Omit<ClaimHold, "task" | "claims"> & {
  readonly id: TaskId;
  readonly repo: RepoName;
  readonly claims: string;
};

/** Counts how many times claims were taken or extended in a repository. */
export interface FenceRow {
  readonly id: RepoName;
  readonly fence: number;
}

export function claimRow(repo: RepoName, { task, claims, ...members }: ClaimHold): ClaimRow {
  return { ...members, id: task, repo, claims: canonicalJson(claims) };
}

export function holdFromRow({ id, run, claims, fence, takenAt }: ClaimRow): ClaimHold {
  return { task: id, run, claims: claimsFrom(claims), fence, takenAt };
}

export function claimsFrom(text: string): readonly Claim[] {
  return JSON.parse(text) as readonly Claim[];
}

/** Only open intents have a row. Its event says how an intent ended. */
export type IntentRow = Omit<Intent, "key" | "detail"> & {
  readonly id: string;
  readonly detail: string;
};

export function intentRow({ key, detail, ...members }: Intent): IntentRow {
  return { ...members, id: key, detail: canonicalJson(detail) };
}

export function intentFromRow({ id, detail, ...members }: IntentRow): Intent {
  return { ...members, key: id, detail: JSON.parse(detail) as Intent["detail"] };
}
