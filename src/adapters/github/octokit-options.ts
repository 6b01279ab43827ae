import { ProbotOctokit } from "probot";

/**
 * Probot's octokit without its own retries: a repeated write could happen twice, and the next tick tries again anyway.
 * The function form of `defaults` is needed: the object form is ignored for these plugins.
 */
export function octokitFor(pacing: "polite" | "off"): typeof ProbotOctokit {
  return ProbotOctokit.defaults((options: Record<string, unknown>) => ({
    ...options,
    retry: { enabled: false },
    ...(pacing === "off" ? { throttle: { enabled: false } } : {}),
  }));
}
