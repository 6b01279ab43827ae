import type { PullReview } from "../domain/pull-review.ts";
import type { Feedback } from "../domain/rework.ts";
import { visibleText } from "../shared/markdown/visible-text.ts";

/** What a review says, with its remarks on lines: of each what a reader of the page sees, before anything is put together. */
export function feedbackOf({ by = "someone", body, comments }: PullReview): Feedback {
  const remarks = comments.map(({ path, line, text }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    return `${place}: ${visibleText(text)}`;
  });
  const text = [visibleText(body), ...remarks].filter((part) => part !== "").join("\n\n");
  return { from: by, text };
}

/** When it was last added to. */
export function saidAt({ at, comments }: PullReview): number {
  return Math.max(at, ...comments.map((comment) => comment.at));
}
