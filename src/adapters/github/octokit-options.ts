import { ProbotOctokit } from "probot";
import { ANSWER_WITHIN_MS, wantAnswers } from "./want-answers.ts";

/**
 * Probot's octokit without its own retries and its own pace: a repeated write could happen twice, and the next tick tries again
 * anyway; what may go when is the budget's to say (`api-budgets.ts`). The function form of `defaults` is needed: the object form is
 * ignored for these plugins.
 */
export function octokitFor(answerWithinMs = ANSWER_WITHIN_MS): typeof ProbotOctokit {
  const Octokit = ProbotOctokit.defaults((options: Record<string, unknown>) => ({
    ...options,
    retry: { enabled: false },
    throttle: { enabled: false },
  }));
  return Octokit.plugin((octokit) => {
    wantAnswers(octokit, answerWithinMs);
  });
}
