import type { Deps, RepoContext } from "../deps.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { Signal } from "../domain/signal.ts";

export interface Known {
  /** Undefined: never read. */
  readonly found: readonly ObjectiveIssue[] | undefined;
  /** The reading of the board that it was looked for with. */
  readonly readAt: number;
}

/** What may make an objective of an issue, or of an objective an issue. */
const LABELLING: ReadonlySet<string | undefined> = new Set([
  ...["labeled", "unlabeled", "opened", "reopened", "transferred"],
]);

/** Asks GitHub only when something may have changed: most news are about cards and pull requests. */
export async function readObjectives(
  { repo, config }: RepoContext,
  seen: { readonly known: Known; readonly readAt: number; readonly signals: readonly Signal[] },
  { github }: Pick<Deps, "github">,
): Promise<Known & { readonly found: readonly ObjectiveIssue[]; readonly isNew: boolean }> {
  const { known, readAt } = seen;
  if (known.found !== undefined && !isDue(known.found, seen)) {
    return { found: known.found, readAt, isNew: false };
  }
  return { found: await github.readObjectives(repo, config.labels.objective), readAt, isNew: true };
}

/** Without a signal the board was read because something changed whose webhook never came: it may have been anything. */
function isDue(
  found: readonly ObjectiveIssue[],
  { known, readAt, signals }: { known: Known; readAt: number; signals: readonly Signal[] },
): boolean {
  if (readAt === known.readAt) return false;
  if (signals.length === 0) return true;
  return signals.some(
    ({ event, action }) =>
      (event === "issues" && (found.length > 0 || LABELLING.has(action))) ||
      (event === "sub_issues" && found.length > 0),
  );
}
