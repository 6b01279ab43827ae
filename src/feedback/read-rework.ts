import { instant, sha } from "../domain/ids.ts";
import type { CheckEvidence, PullReview } from "../domain/pull-review.ts";
import type { Feedback, Rework, ReworkKind } from "../domain/run.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { visibleText } from "../shared/markdown/visible-text.ts";
import { wordsOfCheck } from "./check-words.ts";
import { answeredBy, beganAt, quietWait } from "./decide-feedback.ts";
import type { FeedbackDecision, FeedbackSnapshot, Wait } from "./decide-feedback.ts";

export type Look = Extract<FeedbackDecision, { kind: "look" }>;

/** The result can be to wait: the latest word may be younger than the ones known before reading. */
export type ReadRework = Rework | Wait | undefined;

/** Reads what was said; it returns undefined when none of it is for a run. */
export async function readRework(
  look: Look,
  { context, snapshot }: { readonly context: RepoContext; readonly snapshot: FeedbackSnapshot },
  deps: Pick<Deps, "botLogin" | "github">,
): Promise<ReadRework> {
  return look.at === "review"
    ? readReviews(context, snapshot, deps)
    : readChecks(look, { context, snapshot }, deps);
}

async function readReviews(
  { repo }: RepoContext,
  snapshot: FeedbackSnapshot,
  deps: Pick<Deps, "botLogin" | "github">,
): Promise<ReadRework> {
  const { runs, pull } = snapshot;
  if (pull === undefined) return undefined;
  const [answered, since] = [answeredBy(runs), beganAt(runs)];
  const said = (await deps.github.reviewsOf(repo, pull.number)).filter(
    ({ id, state, at }) =>
      !answered.has(id) && at >= since && (state === "changes-requested" || state === "commented"),
  );
  const trusted: PullReview[] = [];
  for (const review of said) if (await isTrusted(review, repo, deps)) trusted.push(review);
  if (!trusted.some(({ state }) => state === "changes-requested")) return undefined;
  const wait = waitAfter(Math.max(...trusted.map(saidAt)), "review", snapshot);
  if (wait !== undefined) return wait;
  return {
    kind: "review",
    answers: trusted.map(({ id }) => id),
    feedback: trusted.map(feedbackOf).filter(({ text }) => text !== ""),
  };
}

/** Only people with write access are trusted; programs, the app itself among them, are not. */
async function isTrusted(
  { by, automated }: PullReview,
  repo: RepoContext["repo"],
  { github, botLogin }: Pick<Deps, "botLogin" | "github">,
): Promise<boolean> {
  if (by === undefined || automated || by === botLogin) return false;
  return github.mayWrite(repo, by);
}

/** A matrix may fail in a hundred jobs, and each costs up to three calls. */
const MAX_LOOKED_INTO = 5;

const NOTHING: CheckEvidence = { remarks: [], steps: [] };

async function readChecks(
  { asked }: Look,
  { context, snapshot }: { readonly context: RepoContext; readonly snapshot: FeedbackSnapshot },
  deps: Pick<Deps, "github">,
): Promise<ReadRework> {
  const { pull } = snapshot;
  if (pull === undefined) return undefined;
  const place = { repo: context.repo, head: sha(pull.head), base: context.base };
  const failed = await deps.github.failedChecks(place);
  if (failed.length === 0) return undefined;
  const wait = waitAfter(Math.max(...failed.map(({ at }) => at)), "checks", snapshot);
  if (wait !== undefined) return wait;
  const feedback: Feedback[] = [];
  for (const check of failed) {
    const isLookedInto = feedback.length < MAX_LOOKED_INTO;
    const evidence = isLookedInto ? await deps.github.evidenceOf(context.repo, check) : NOTHING;
    feedback.push({ from: `The check ${check.name}`, text: wordsOfCheck(check, evidence) });
  }
  return { kind: "checks", answers: asked, feedback };
}

function waitAfter(
  lastWord: number,
  kind: ReworkKind,
  snapshot: FeedbackSnapshot,
): Wait | undefined {
  const until = instant(lastWord + snapshot.feedback.quiet);
  return until > snapshot.now ? quietWait(kind, until, snapshot) : undefined;
}

/** Returns a review's words with its remarks on lines. Each is reduced to what a reader of the page sees, before anything is put together. */
export function feedbackOf({ by = "someone", body, comments }: PullReview): Feedback {
  const remarks = comments.map(({ path, line, text }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    return `${place}: ${visibleText(text)}`;
  });
  const text = [visibleText(body), ...remarks].filter((part) => part !== "").join("\n\n");
  return { from: by, text };
}

/** Returns when the review was last added to. */
function saidAt({ at, comments }: PullReview): number {
  return Math.max(at, ...comments.map((comment) => comment.at));
}
