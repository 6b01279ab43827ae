import type { Deps, RepoContext } from "../deps.ts";
import { instant, sha } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { PullReview } from "../domain/pull-review.ts";
import type { Rework } from "../domain/rework.ts";
import { visibleText } from "../shared/markdown/visible-text.ts";
import { answeredBy, beganAt } from "./decide-feedback.ts";
import type { FeedbackDecision, FeedbackSnapshot } from "./decide-feedback.ts";
import { feedbackOf, saidAt } from "./review-feedback.ts";

export type Look = Extract<FeedbackDecision, { kind: "look" }>;

/** The latest word may be younger than what was known before reading. */
export type ReadRework = Rework | { readonly kind: "wait"; readonly until: Instant } | undefined;

/** Reads what was said; undefined when none of it is for a run. */
export async function readRework(
  look: Look,
  { context, snapshot }: { readonly context: RepoContext; readonly snapshot: FeedbackSnapshot },
  deps: Deps,
): Promise<ReadRework> {
  return look.at === "review"
    ? readReviews(context, snapshot, deps)
    : readChecks(look, { context, snapshot }, deps);
}

async function readReviews(
  { repo }: RepoContext,
  snapshot: FeedbackSnapshot,
  deps: Deps,
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
  return settled(Math.max(...trusted.map(saidAt)), snapshot, {
    kind: "review",
    answers: trusted.map(({ id }) => id),
    feedback: trusted.map(feedbackOf).filter(({ text }) => text !== ""),
  });
}

/** People with write access: programs, the app itself among them, are not listened to. */
async function isTrusted(
  { by, automated }: PullReview,
  repo: RepoContext["repo"],
  { github, botLogin }: Deps,
): Promise<boolean> {
  if (by === undefined || automated || by === botLogin) return false;
  return github.mayWrite(repo, by);
}

async function readChecks(
  { asked }: Look,
  { context, snapshot }: { readonly context: RepoContext; readonly snapshot: FeedbackSnapshot },
  deps: Deps,
): Promise<ReadRework> {
  const { pull } = snapshot;
  if (pull === undefined) return undefined;
  const place = { repo: context.repo, head: sha(pull.head), base: context.base };
  const failed = await deps.github.failedChecks(place);
  if (failed.length === 0) return undefined;
  return settled(Math.max(...failed.map(({ at }) => at)), snapshot, {
    kind: "checks",
    answers: asked,
    feedback: failed.map(({ name, text }) => ({
      from: `The check ${name}`,
      text: visibleText(text),
    })),
  });
}

function settled(
  lastWord: number,
  { now, feedback }: FeedbackSnapshot,
  rework: Rework,
): ReadRework {
  const until = instant(lastWord + feedback.quiet);
  return until > now ? { kind: "wait", until } : rework;
}
