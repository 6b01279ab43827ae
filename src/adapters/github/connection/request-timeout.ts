import type { Octokit } from "@octokit/rest";
import { AppError } from "../../../shared/app-error.ts";

/** GitHub itself gives up on a request after 10 s. No answer comes after six times as long. */
export const ANSWER_TIMEOUT_MS = 60_000;

/** Demands that an answer comes in time and is JSON. Otherwise a proxy's page with status 200 would pass for an empty answer. */
export function withTimeout({ hook }: Pick<Octokit, "hook">, ms = ANSWER_TIMEOUT_MS): void {
  hook.before("request", (options) => {
    const fetched = (options.request.fetch ?? fetch) as typeof fetch;
    // The timeout covers the fetch alone, because a request that still waits for its turn is not late.
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
