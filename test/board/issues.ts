import { repoConfigSchema } from "../../src/config/schema/repo-config.ts";
import type { Issue } from "../../src/domain/board.ts";
import { repoName } from "../../src/domain/ids.ts";

export const DEFAULTS = repoConfigSchema.parse({});

export function anIssue(over: Partial<Issue> = {}): Issue {
  return {
    repo: repoName("acme/shop"),
    number: 12,
    nodeId: "I_12",
    title: "Keep sessions",
    body: "",
    state: "open",
    labels: [],
    parent: undefined,
    blockedBy: [],
    ...over,
  };
}
