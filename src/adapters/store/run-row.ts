import type { RepoName } from "../../domain/ids.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

interface OutcomeColumns {
  readonly outcome: string | null;
  /** Beside the text, so that successful runs are found by an index. */
  readonly outcomeKind: RunOutcome["kind"] | null;
}

export type RunRow = Columns<Omit<Run, "outcome">> & OutcomeColumns & { readonly repo: RepoName };

export function runRow(repo: RepoName, run: Run): RunRow {
  return { ...columnsOf(run), ...outcomeColumns(run.outcome), repo };
}

export function outcomeColumns(outcome: RunOutcome | undefined): OutcomeColumns {
  if (outcome === undefined) return { outcome: null, outcomeKind: null };
  return { outcome: canonicalJson(outcome), outcomeKind: outcome.kind };
}

export function runFromRow(row: RunRow): Run {
  const outcome = row.outcome === null ? undefined : (JSON.parse(row.outcome) as RunOutcome);
  return { ...membersOf<Omit<Run, "outcome">>(without(row, "repo", "outcomeKind")), outcome };
}
