import type { Instant, RepoName } from "../../domain/ids.ts";
import type { Rework } from "../../domain/rework.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import type { Usage } from "../../domain/usage.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

interface OutcomeColumns {
  readonly outcome: string | null;
  /** Beside the text, so that successful runs are found by an index. */
  readonly outcomeKind: RunOutcome["kind"] | null;
}

type PlainMembers = Omit<
  Run,
  "outcome" | "usage" | "rework" | "candidate" | "host" | "agentEndedAt"
>;

export type RunRow = Columns<PlainMembers> &
  OutcomeColumns & {
    readonly usage: string | null;
    readonly rework: string | null;
    readonly candidate: number;
    readonly host: string | null;
    readonly agentEndedAt: Instant | null;
    readonly repo: RepoName;
  };

/** Events from before there were candidates and rework say nothing of them. */
type RunEver = Omit<Run, "candidate" | "rework"> & Partial<Pick<Run, "candidate" | "rework">>;

export function runRow(repo: RepoName, run: RunEver): RunRow {
  return {
    ...columnsOf(run),
    ...outcomeColumns(run.outcome),
    usage: usageColumn(run.usage),
    rework: run.rework === undefined ? null : canonicalJson(run.rework),
    candidate: run.candidate ?? 1,
    host: run.host ?? null,
    agentEndedAt: run.agentEndedAt ?? null,
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
  const plain = membersOf<PlainMembers>(
    without(row, "repo", "outcomeKind", "host", "agentEndedAt"),
  );
  return {
    ...plain,
    outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as RunOutcome),
    usage: row.usage === null ? undefined : (JSON.parse(row.usage) as Usage),
    rework: row.rework === null ? undefined : (JSON.parse(row.rework) as Rework),
    candidate: row.candidate,
    ...(row.host === null ? {} : { host: row.host }),
    ...(row.agentEndedAt === null ? {} : { agentEndedAt: row.agentEndedAt }),
  };
}
