import { findIssue, findRepository } from "./find.ts";
import type { Issue } from "./issue.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

const KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/gi;

/** Finds the issues that this text closes once it is on the default branch: `Closes #3`, `fixes owner/repo#4`. */
export function closingReferences(
  world: World,
  repository: Repository,
  text: string,
): readonly Issue[] {
  const issues = new Set<Issue>();
  for (const [, name, number] of text.matchAll(KEYWORD)) {
    const where = name === undefined ? repository : findRepository(world, name);
    const issue = where && findIssue(world, where, Number(number));
    if (issue !== undefined) issues.add(issue);
  }
  return [...issues];
}
