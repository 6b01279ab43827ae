import type { Train } from "../../domain/train.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

type PlainMembers = Omit<Train, "suspects">;

export type TrainRow = Columns<PlainMembers> & { readonly suspects: string };

export function trainRow(train: Train): TrainRow {
  return { ...columnsOf(train), suspects: suspectsColumn(train.suspects) };
}

export function suspectsColumn(suspects: Train["suspects"]): string {
  return canonicalJson(suspects);
}

export function trainFromRow(row: TrainRow): Train {
  return {
    ...membersOf<PlainMembers>(row),
    suspects: JSON.parse(row.suspects) as Train["suspects"],
  };
}
