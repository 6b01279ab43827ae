import { lastLines } from "../../domain/failure.ts";
import type { Run } from "../../domain/run.ts";
import { failureLines } from "../text/failure-lines.ts";
import { printable } from "../text/terminal-text.ts";
import { secondsText } from "../text/timeline.ts";
import { wordSpent } from "../trial/spent.ts";
import { wordEvaluation, wordNode } from "./event-lines.ts";
import { exploreResult } from "./explore-result.ts";
import type { ExploreResult } from "./explore-result.ts";
import { renderExploreTree } from "./explore-tree.ts";
import { failedRuns } from "./failed-runs.ts";
import type { ExploreOutcome } from "./run-exploration.ts";

/** The rest of them is in the folder of logs. */
const MAX_SHOWN_FAILURES = 5;

/** Says how it went, as a person reads it. */
export function renderExploreReport(outcome: ExploreOutcome, width: number): string {
  const { view, logs } = outcome;
  const { exploration, runs } = view;
  const result = exploreResult(outcome);
  const parts = [
    exploration === undefined ? "" : renderExploreTree(exploration, runs, width),
    logs === undefined ? "" : renderFailures(failedRuns(view), logs),
    renderEnd(result),
    renderTotals(result),
    ...(outcome.repo === undefined ? [] : [renderPull(result, outcome.repo)]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function renderFailures(runs: readonly Run[], logs: string): string {
  const shown = runs.slice(0, MAX_SHOWN_FAILURES).flatMap((run) => {
    const { contender, runner, outcome, logPath } = run;
    if (outcome === undefined) return [];
    const task = contender === 0 ? "the beginning" : `evaluation ${contender}`;
    return failureLines({ task, runner, outcome: outcome.kind, tail: lastLines(outcome), logPath });
  });
  const more = runs.length - MAX_SHOWN_FAILURES;
  return [...shown, ...(more > 0 ? [`${more} more failed: ${logs}`] : [])].join("\n");
}

function renderEnd({ winner, evaluations, baseScore, end, interrupted }: ExploreResult): string {
  const why = printable(end);
  if (winner === null) return `No winner: ${why}`;
  const won = evaluations.find(({ id }) => id === winner.evaluation);
  const { idea, node: parent } = won ?? { idea: "", node: 0 };
  const which = printable(
    `${wordEvaluation({ number: winner.evaluation, idea })}${wordNode({ parent })}`,
  );
  const base = baseScore === null ? "" : `, and the base ${baseScore}`;
  const score = winner.score === null ? "" : ` scores ${winner.score}${base}`;
  return [`Winner: ${which}${score}`, `${interrupted ? "Stopped" : "Ended"}: ${why}`].join("\n");
}

function renderTotals(result: ExploreResult): string {
  const { evaluations, serialTimeMs, wallTimeMs, speedUp, usage } = result;
  const tried = evaluations.filter(({ attempts }) => attempts > 0).length;
  if (tried === 0) return "";
  const times = `in ${secondsText(wallTimeMs)}; one after the other ${secondsText(serialTimeMs)} (${speedUp.toFixed(1)}×, ${result.maxParallel} at once)`;
  const what = tried === 1 ? "1 evaluation" : `${tried} evaluations`;
  return [`${what} ${times}`, ...(usage === null ? [] : [wordSpent(usage)])].join("\n");
}

function renderPull({ winner }: ExploreResult, repo: string): string {
  return winner === null ? "" : `The result: git pull ${repo} ${winner.branch}`;
}
