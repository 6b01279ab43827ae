import type { GivenCommand } from "../../domain/given-command.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

export type CommandRow = Columns<Omit<GivenCommand, "answer" | "effects">> & {
  readonly answer: string;
  readonly effects: string;
};

export function commandRow({ answer, effects, ...members }: GivenCommand): CommandRow {
  return {
    ...columnsOf(members),
    answer: canonicalJson(answer),
    effects: canonicalJson(effects),
  };
}

export function commandFromRow({ answer, effects, ...columns }: CommandRow): GivenCommand {
  return {
    ...membersOf<Omit<GivenCommand, "answer" | "effects">>(columns),
    answer: JSON.parse(answer) as GivenCommand["answer"],
    effects: JSON.parse(effects) as GivenCommand["effects"],
  };
}
