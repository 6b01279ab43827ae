import type { RepoName } from "../../domain/ids.ts";
import type { OperatorConfig } from "../schema/operator-config.ts";

/** `by-file`: the repository takes part if it has a file of its own. */
export type Invitation = "named" | "denied" | "by-file";

/** Says what the operator's file says of a repository. GitHub does not tell capital letters in names from small ones. */
export function invitationOf(
  repo: RepoName,
  operator: Pick<OperatorConfig, "serve" | "repositories">,
): Invitation {
  const { serve } = operator;
  const isAmong = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => matches(pattern, repo));
  if (isAmong(serve.deny)) return "denied";
  const isNamed = settingsOf(repo, operator) !== undefined || isAmong(serve.allow);
  return isNamed ? "named" : "by-file";
}

type Fixed = OperatorConfig["repositories"][string];

/** Returns the settings that the operator fixes for a repository. */
export function fixedFor(repo: RepoName, operator: Pick<OperatorConfig, "repositories">): Fixed {
  return settingsOf(repo, operator) ?? {};
}

function settingsOf(
  repo: RepoName,
  { repositories }: Pick<OperatorConfig, "repositories">,
): Fixed | undefined {
  const wanted = repo.toLowerCase();
  return Object.entries(repositories).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

function matches(pattern: string, repo: RepoName): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, String.raw`\$&`))
    .join("[^/]*");
  return new RegExp(`^${source}$`, "i").test(repo);
}
