import type { Change } from "../../domain/change.ts";
import type { Exploration, ExplorationEnd, Level } from "../../domain/exploration.ts";
import { wordExpected, wordRebased } from "../../domain/explore/words.ts";

type Moved = Extract<Change, { kind: "exploration-moved" }>;

/** Says what is tried, as the rest of a line. */
export function wordOpened({ plan, state }: Exploration): string {
  return ` ${state}: ${wordExpected(plan.expected)}`;
}

/** Says what was promoted, opened or taken, as the rest of a line. */
export function wordMoved({ set: { levels = [], stop, end } }: Moved): string {
  const parts = [
    ...(stop === undefined ? [] : [stop.why]),
    ...levels.slice(-2).map(wordLevelState),
    ...(end === undefined ? [] : wordsOfEnd(end)),
  ];
  return parts.length === 0 ? "" : `: ${parts.join("; ")}`;
}

function wordLevelState({ depth, evaluations, closedAt, promoted }: Level): string {
  const count = evaluations.length === 1 ? "1 evaluation" : `${evaluations.length} evaluations`;
  if (closedAt === undefined) return `level ${depth} has ${count}`;
  const best = promoted.length === 0 ? "nothing" : promoted.join(", ");
  return `level ${depth} promoted ${best}`;
}

function wordsOfEnd({ why, winner, rebased }: ExplorationEnd): readonly string[] {
  return [
    why,
    winner === undefined ? "nothing was taken" : `the winner is ${winner}`,
    ...(rebased === undefined ? [] : [wordRebased(rebased, undefined)]),
  ];
}
