import type { Octokit } from "@octokit/rest";
import { AppError } from "../../shared/app-error.ts";

/** GitHub gives up on a request after 10 s; whoever has not answered by then six times over will not. */
export const ANSWER_WITHIN_MS = 60_000;

/** An answer comes in time and is JSON; a page of a proxy with status 200 would otherwise pass for an empty one. */
export function wantAnswers({ hook }: Pick<Octokit, "hook">, ms = ANSWER_WITHIN_MS): void {
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
