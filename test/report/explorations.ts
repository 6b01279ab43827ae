import type { Exploration, ExplorePlan, Level } from "../../src/domain/exploration.ts";
import { levelOn } from "../../src/domain/explore/next-step.ts";
import { instant, runId } from "../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../src/domain/run.ts";
import type { Exploring } from "../../src/domain/story/task-story.ts";
import { NOW, aPlan, aRun, anExploration, shaOf } from "../support/builders.ts";

const SECOND_MS = 1000;

export function scored(score: number, files = 1): RunOutcome {
  const paths = Array.from({ length: files }, (_, at) => `src/${at}.ts`);
  return { kind: "succeeded", head: shaOf(900), files: paths, outside: [], notes: "", score };
}

export const FAILED: RunOutcome = { kind: "failed", exitCode: 3, tail: "no" };

/** A run of an evaluation that took a minute for each of its number, or is under way. */
export function tried(contender: number, outcome?: RunOutcome, members: Partial<Run> = {}): Run {
  const queuedAt = instant(NOW + contender);
  const ended = instant(queuedAt + contender * 60 * SECOND_MS);
  return aRun({
    id: runId(`run-${contender}-${members.retry ?? 0}`),
    contender,
    state: outcome === undefined ? "running" : "finished",
    queuedAt,
    startedAt: queuedAt,
    finishedAt: outcome === undefined ? undefined : ended,
    outcome,
    ...members,
  });
}

export function planned(names: readonly string[], members: Partial<ExplorePlan> = {}): ExplorePlan {
  const ideas = names.map((name) => ({ name, text: `try ${name}` }));
  return aPlan({ ideas, baseScore: 10, ...members });
}

/** The level that follows on these nodes. */
export function levelAt(
  depth: number,
  { parents, after, plan }: { parents: readonly number[]; after: number; plan: ExplorePlan },
): Level {
  const nodes = parents.map((number) => ({ number, commit: shaOf(900 + number) }));
  return levelOn(nodes, plan, { depth, after, now: instant(NOW + depth) });
}

const PLAN = planned(["bubble", "heap", "merge"], {
  expected: { evaluations: 9, usd: 4.5, agentMs: 90 * 60 * SECOND_MS },
});
const FIRST: Level = {
  ...levelAt(1, { parents: [0], after: 0, plan: PLAN }),
  closedAt: instant(NOW + 2),
  promoted: [2, 3],
};
const SECOND = levelAt(2, { parents: [2, 3], after: 3, plan: PLAN });

const usage = { inputTokens: 1000, outputTokens: 234, cachedTokens: 0, costUsd: 0.25 };

/** Three ideas, of which one failed and two were promoted; of the six on those one has ended, one fails, and one runs. */
export function aSearch(members: Partial<Exploration> = {}): Exploring {
  const exploration = anExploration({ plan: PLAN, levels: [FIRST, SECOND], ...members });
  const runs = [
    tried(1, FAILED),
    tried(1, FAILED, { retry: 1 }),
    tried(2, scored(11), { usage }),
    tried(3, scored(12.5), { usage: { ...usage, costUsd: undefined } }),
    tried(4, scored(13)),
    tried(5, FAILED),
    tried(6),
  ];
  return { exploration, runs };
}

/** All have ended; 7 is the best. */
export function anEndedSearch(members: Partial<Exploration> = {}): Exploring {
  const closed = { ...SECOND, closedAt: instant(NOW + 4), promoted: [4, 7] };
  const { runs } = aSearch();
  const rest = [tried(6, FAILED), tried(7, scored(14)), tried(8, scored(9)), tried(9, scored(9))];
  const exploration = anExploration({
    plan: { ...PLAN, retries: 0 },
    levels: [FIRST, closed],
    state: "ended",
    end: { why: "level 2 was the last", winner: 7 },
    ...members,
  });
  return { exploration, runs: [...runs.slice(0, -1), ...rest] };
}

/** Two of three contenders have ended. */
export function aContest(members: Partial<Exploration> = {}): Exploring {
  const ideas = ["1", "2", "3"].map((name) => ({ name, text: "" }));
  const plan = aPlan({ ideas, depth: 1, beam: 1, retries: 0 });
  const level = levelAt(1, { parents: [0], after: 0, plan });
  const exploration = anExploration({ plan, levels: [level], ...members });
  return { exploration, runs: [tried(1, scored(6)), tried(2, FAILED), tried(3)] };
}

/** So many ideas on the base, all of which went well; the later ones are better. */
export function aWideSearch(
  count: number,
  nameOf = (at: number): string => `idea ${String(at).padStart(4, "0")}`,
): Exploring {
  const plan = planned(Array.from({ length: count }, (_, at) => nameOf(at)));
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const level = {
    ...levelAt(1, { parents: [0], after: 0, plan }),
    closedAt: NOW,
    promoted: [count - 1, count],
  };
  const exploration = anExploration({ plan, levels: [level] });
  return { exploration, runs: numbers.map((number) => tried(number, scored(number))) };
}
