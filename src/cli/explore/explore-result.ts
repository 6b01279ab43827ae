import { summaryOf } from "../../domain/explore/summary.ts";
import type {
  EvaluationSummary,
  ExploreSummary,
  NodeSummary,
  WinnerSummary,
} from "../../domain/explore/summary.ts";
import { OPENING } from "../../domain/exploration.ts";
import { maxParallel, serialTime } from "../trial/spans.ts";
import type { Span } from "../trial/spans.ts";
import { spentBy } from "../trial/spent.ts";
import type { Spent } from "../trial/spent.ts";
import type { ExploreView } from "./exploration-watch.ts";
import type { ExploreOutcome } from "./run-exploration.ts";

/** This is one evaluation as `wavetrain explore --json` reports it. Times are ISO 8601, null where the thing did not happen. */
export interface EvaluationResult extends Omit<
  EvaluationSummary,
  "queuedAt" | "startedAt" | "finishedAt"
> {
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Scripts rely on this form: docs/explore.md describes it. */
export interface ExploreResult {
  readonly nodes: readonly NodeSummary[];
  readonly evaluations: readonly EvaluationResult[];
  readonly winner: WinnerSummary | null;
  readonly baseScore: number | null;
  /** It says why it ended. */
  readonly end: string;
  readonly interrupted: boolean;
  /** This is the bare repository to pull the winner's branch from. */
  readonly repo: string | null;
  /** The logs of evaluations that failed are in this folder. */
  readonly logs: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly apiCalls: ExploreOutcome["apiCalls"];
  readonly maxParallel: number;
  /** All runs of evaluations would take this long one after the other. */
  readonly serialTimeMs: number;
  /** From when the first was queued until the last had ended it took this long. */
  readonly wallTimeMs: number;
  readonly speedUp: number;
  readonly usage: Spent | null;
}

const NOTHING: ExploreSummary = { nodes: [], evaluations: [], winner: null };

/** Sums up how it went. */
export function exploreResult(outcome: ExploreOutcome): ExploreResult {
  const { view, repo, logs, apiCalls, interrupted } = outcome;
  const { exploration, runs } = view;
  const summary = exploration === undefined ? NOTHING : summaryOf(exploration, runs);
  return {
    nodes: summary.nodes,
    evaluations: summary.evaluations.map(withIsoTimes),
    winner: summary.winner,
    baseScore: exploration?.plan.baseScore ?? null,
    end: whyEnded(outcome),
    interrupted,
    repo: repo ?? null,
    logs: logs ?? null,
    startedAt: isoOf(outcome.startedAt),
    finishedAt: isoOf(outcome.finishedAt),
    apiCalls,
    ...timesOf(view),
    usage: spentBy(runs),
  };
}

function whyEnded({ end, base, view, interrupted }: ExploreOutcome): string {
  if (base !== undefined) return base.reason;
  if (end === undefined) return interrupted ? "it was interrupted" : "it was not begun";
  return view.exploration?.end?.why ?? view.task?.reason ?? "";
}

function withIsoTimes(one: EvaluationSummary): EvaluationResult {
  const { queuedAt, startedAt, finishedAt } = one;
  return {
    ...one,
    queuedAt: isoOf(queuedAt),
    startedAt: startedAt === null ? null : isoOf(startedAt),
    finishedAt: finishedAt === null ? null : isoOf(finishedAt),
  };
}

function timesOf(
  view: ExploreView,
): Pick<ExploreResult, "maxParallel" | "serialTimeMs" | "wallTimeMs" | "speedUp"> {
  const spans = spansOf(view);
  const openedAt = view.exploration?.levels[0]?.openedAt ?? 0;
  const wallTimeMs = Math.max(0, ...spans.map(({ finishedAt }) => finishedAt - openedAt));
  const serialTimeMs = serialTime(spans);
  const speedUp = serialTimeMs / Math.max(1, wallTimeMs);
  return { maxParallel: maxParallel(spans), serialTimeMs, wallTimeMs, speedUp };
}

/** Each run of an evaluation that has ended took such a time, whatever came of it. */
function spansOf({ runs }: ExploreView): readonly Omit<Span, "task">[] {
  return runs.flatMap(({ contender, startedAt, finishedAt }) =>
    contender === OPENING || startedAt === undefined || finishedAt === undefined
      ? []
      : [{ kind: "run" as const, startedAt, finishedAt }],
  );
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
