import { claimRules } from "../../domain/claim/claim-rules.ts";
import { isSharedPath } from "../../domain/claim/scope.ts";
import { lastExplorationOf, MAX_IDEAS } from "../../domain/exploration.ts";
import type { Exploration, Idea } from "../../domain/exploration.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Task } from "../../domain/task.ts";
import type { Deps } from "../../ports/deps.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { plainName } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** A prompt has no room for more of it. */
const MAX_IDEA_BYTES = 20 * 1024;

interface Search {
  readonly repo: RepoName;
  readonly base: Sha;
  readonly task: Task;
  readonly explorations: readonly Exploration[];
}

/** `ask` means that a runner has to propose so many first. */
export type FoundIdeas = readonly Idea[] | { readonly ask: number };

/** Finds what is to be tried, sorted by name, or says in a sentence what is wrong with it. */
export async function findIdeas(
  search: Search,
  deps: Pick<Deps, "git">,
): Promise<Result<FoundIdeas, string>> {
  const { task, explorations } = search;
  const { explore, contenders = 1 } = task.spec;
  if (explore === undefined) return ok(contest(contenders));
  const { ideas } = explore;
  switch (ideas.kind) {
    case "list":
      return ok(sorted(ideas.ideas));
    case "files":
      return ideasInFiles(ideas.patterns, search, deps);
    case "ask": {
      // Whoever confirmed the exploration confirmed the ideas that were proposed then.
      const last = confirmedOf(task, explorations);
      return ok(last === undefined ? { ask: ideas.count } : last.plan.ideas);
    }
    default:
      return assertNever(ideas);
  }
}

/** Returns the exploration that a person said yes to, for the issue as it is now. */
export function confirmedOf(
  { id, specHash }: Task,
  explorations: readonly Exploration[],
): Exploration | undefined {
  const last = lastExplorationOf(id, explorations);
  return last?.state === "confirmed" && last.specHash === specHash ? last : undefined;
}

export function sorted(ideas: readonly Idea[]): readonly Idea[] {
  return ideas.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Contenders are told the same, so their names are numbers. */
function contest(contenders: number): readonly Idea[] {
  return Array.from({ length: contenders }, (_, at) => ({ name: String(at + 1), text: "" }));
}

function ideasOf(
  files: readonly { readonly path: string; readonly text: string }[],
): Result<readonly Idea[], string> {
  // Ideas without words are those of contenders, which keep to other rules.
  const empty = files.find(({ text }) => text.trim() === "");
  if (empty !== undefined) return fail(`${plainName(empty.path)} is empty, so it is no idea`);
  return ok(sorted(files.map(({ path, text }) => ({ name: path, text }))));
}

async function ideasInFiles(
  patterns: readonly string[],
  { repo, base }: Search,
  { git }: Pick<Deps, "git">,
): Promise<Result<readonly Idea[], string>> {
  const rules = claimRules({ shared: patterns });
  const matches = (path: string): boolean => isSharedPath(path, rules);
  const limits = { maxFiles: MAX_IDEAS, maxBytes: MAX_IDEA_BYTES };
  const found = await git.filesIn(repo, base, { matches, ...limits });
  const what = patterns.map(plainName).join(", ");
  switch (found.kind) {
    case "read":
      if (found.files.length === 0)
        return fail(`no file of the base branch matches ${what}: there are no ideas to try`);
      return ideasOf(found.files);
    case "too-many":
      return fail(`${found.count} files match ${what}: the limit is ${MAX_IDEAS} ideas`);
    case "too-large":
      return fail(
        `${plainName(found.path)} is larger than ${MAX_IDEA_BYTES / 1024} KB, which is too much for an idea`,
      );
    case "not-text":
      return fail(`${plainName(found.path)} is not a text, so it cannot be an idea`);
    default:
      return assertNever(found);
  }
}
