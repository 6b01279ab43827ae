import type { Change } from "../../../domain/change.ts";
import type { Exploration } from "../../../domain/exploration.ts";
import { canonicalJson, columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

type ExplorationMoved = Extract<Change, { readonly kind: "exploration-moved" }>;
type JsonMember = "plan" | "levels" | "stop" | "end";
type PlainMembers = Omit<Exploration, JsonMember>;

export type ExplorationRow = Columns<PlainMembers> & {
  readonly plan: string;
  readonly levels: string;
  readonly stop: string | null;
  readonly end: string | null;
};

export function explorationRow({ plan, levels, stop, end, ...plain }: Exploration): ExplorationRow {
  return {
    ...columnsOf<PlainMembers>(plain),
    plan: canonicalJson(plan),
    levels: canonicalJson(levels),
    stop: stop === undefined ? null : canonicalJson(stop),
    end: end === undefined ? null : canonicalJson(end),
  };
}

export function movedColumns({ to, at, set }: ExplorationMoved): Partial<ExplorationRow> {
  const { levels, stop, end } = set;
  return {
    state: to,
    changedAt: at,
    ...(levels !== undefined && { levels: canonicalJson(levels) }),
    ...(stop !== undefined && { stop: canonicalJson(stop) }),
    ...(end !== undefined && { end: canonicalJson(end) }),
  };
}

export function explorationFromRow(row: ExplorationRow): Exploration {
  const { plan, levels, stop, end, ...plain } = row;
  return {
    ...membersOf<PlainMembers>(plain),
    plan: JSON.parse(plan) as Exploration["plan"],
    levels: JSON.parse(levels) as Exploration["levels"],
    stop: stop === null ? undefined : (JSON.parse(stop) as Exploration["stop"]),
    end: end === null ? undefined : (JSON.parse(end) as Exploration["end"]),
  };
}
