import { ProbotOctokit } from "probot";
import { AppError } from "../../shared/app-error.ts";

/** GitHub gives up on a request after 10 s; whoever has not answered by then six times over will not. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Probot's octokit without its own retries: a repeated write could happen twice, and the next tick tries again anyway.
 * The function form of `defaults` is needed: the object form is ignored for these plugins.
 */
export function octokitFor(
  pacing: "polite" | "off",
  answerWithinMs = ANSWER_WITHIN_MS,
): typeof ProbotOctokit {
  const Octokit = ProbotOctokit.defaults((options: Record<string, unknown>) => ({
    ...options,
    retry: { enabled: false },
    ...(pacing === "off" ? { throttle: { enabled: false } } : {}),
  }));
  return Octokit.plugin((octokit) => {
    wantAnswers(octokit, answerWithinMs);
  });
}

/** An answer comes in time and is JSON; a page of a proxy with status 200 would otherwise pass for an empty one. */
function wantAnswers({ hook }: Pick<InstanceType<typeof ProbotOctokit>, "hook">, ms: number): void {
  hook.before("request", (options) => {
    const fetched = (options.request.fetch ?? fetch) as typeof fetch;
    // Around the fetch alone: what waits for its turn before is not late.
    options.request = {
      ...options.request,
      fetch: (url: string, init: RequestInit) =>
        fetched(url, { ...init, signal: AbortSignal.timeout(ms) }),
    };
  });
  hook.after("request", ({ data }) => {
    if (typeof data !== "string" || data === "") return;
    throw new AppError("github-unavailable", "GitHub answered with something else than JSON", {
      retryable: true,
    });
  });
}
