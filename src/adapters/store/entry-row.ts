import type { Entry, Evidence } from "../../domain/entry.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

type PlainMembers = Omit<Entry, "approvedBy" | "evidence">;

export type EntryRow = Columns<PlainMembers> & {
  readonly approvedBy: string;
  readonly evidence: string | null;
};

export function entryRow(entry: Entry): EntryRow {
  return {
    ...columnsOf(entry),
    approvedBy: canonicalJson(entry.approvedBy),
    evidence: evidenceColumn(entry.evidence),
  };
}

export function evidenceColumn(evidence: Evidence | null | undefined): string | null {
  return evidence == null ? null : canonicalJson(evidence);
}

export function entryFromRow(row: EntryRow): Entry {
  return {
    ...membersOf<PlainMembers>(row),
    approvedBy: JSON.parse(row.approvedBy) as string[],
    evidence: row.evidence === null ? undefined : (JSON.parse(row.evidence) as Evidence),
  };
}
