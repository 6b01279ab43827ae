import type { Candidate, Entry, Evidence } from "../../domain/entry.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

type PlainMembers = Omit<Entry, "approvedBy" | "candidate" | "evidence">;

export type EntryRow = Columns<PlainMembers> & {
  readonly approvedBy: string;
  readonly candidate: string | null;
  readonly evidence: string | null;
};

export function entryRow(entry: Entry): EntryRow {
  return {
    ...columnsOf(entry),
    approvedBy: canonicalJson(entry.approvedBy),
    candidate: jsonColumn(entry.candidate),
    evidence: jsonColumn(entry.evidence),
  };
}

export function jsonColumn(value: Candidate | Evidence | null | undefined): string | null {
  return value == null ? null : canonicalJson(value);
}

export function entryFromRow(row: EntryRow): Entry {
  return {
    ...membersOf<PlainMembers>(row),
    approvedBy: JSON.parse(row.approvedBy) as string[],
    candidate: row.candidate === null ? undefined : (JSON.parse(row.candidate) as Candidate),
    evidence: row.evidence === null ? undefined : (JSON.parse(row.evidence) as Evidence),
  };
}
