import { takeInObjectives } from "../board/take-in-objectives.ts";
import type { RepoReading } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { Signal } from "../domain/signal.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { StoredRepo } from "../ports/store.ts";
import type { TrustDecisions } from "../trust/vouch.ts";
import { openTasks } from "./proposal/open-tasks.ts";

/** Names what objectives touch of the world. */
export type ObjectivesDeps = Pick<
  Deps,
  "background" | "clock" | "github" | "log" | "notices" | "store" | "wake"
>;

interface Known {
  /** It is undefined if objectives were never read. */
  readonly found: readonly ObjectiveIssue[] | undefined;
  /** This is the `readAt` of the board reading that they were looked for with. */
  readonly readAt: number;
}

/** This is kept between ticks; losing it costs one read. */
export interface ObjectivesMemory extends Known {
  readonly decisions: TrustDecisions;
  readonly untrusted: ReadonlySet<TaskId>;
}

export interface SeenObjectives {
  readonly objectives: ObjectivesMemory;
  readonly reading: RepoReading;
  readonly signals: readonly Signal[];
  readonly stored: StoredRepo;
}

export const NO_OBJECTIVES: ObjectivesMemory = {
  found: undefined,
  readAt: -1,
  decisions: new Map(),
  untrusted: new Set<TaskId>(),
};

/** Passes over a repository's objectives once: it takes in new ones and opens the issues that are due. */
export async function tick(
  context: RepoContext,
  { objectives: known, reading, signals, stored }: SeenObjectives,
  deps: ObjectivesDeps,
): Promise<ObjectivesMemory> {
  if (!context.config.objectives.enabled) return NO_OBJECTIVES;
  const { found, readAt, isNew } = await readObjectives(
    context,
    { known, readAt: reading.readAt, signals },
    deps,
  );
  const { intents } = await stored.read();
  const due = intents.filter(({ kind }) => kind === "decompose");
  const done: boolean[] = [];
  for (const intent of due) done.push(await openTasks(context, intent, deps));
  if (done.length > 0) stored.changed();
  const taken = isNew ? await takeIn(context, { ...known, found, readAt, stored }, deps) : known;
  const { decisions, untrusted } = taken;
  if (done.includes(false)) deps.wake(context.repo, "we-changed");
  // Only the next reading sees the issues that were opened, because our own writes wake nobody.
  if (done.includes(true)) deps.wake(context.repo, "github-changed");
  return { found: done.includes(true) ? undefined : found, readAt, decisions, untrusted };
}

async function takeIn(
  context: RepoContext,
  {
    found,
    readAt,
    decisions,
    stored,
  }: ObjectivesMemory & {
    readonly found: readonly ObjectiveIssue[];
    readonly stored: StoredRepo;
  },
  deps: ObjectivesDeps,
): Promise<Pick<ObjectivesMemory, "decisions" | "untrusted">> {
  const seen = { found, readAt, decisions, stored: await stored.read() };
  const taken = await takeInObjectives(context, seen, deps);
  // The scheduler may have run since the look began, so it has to look again.
  if (taken.wrote) deps.wake(context.repo, "we-changed");
  return taken;
}

/** These actions may turn an issue into an objective, or an objective back into an issue. */
const LABELLING: ReadonlySet<string | undefined> = new Set([
  "labeled",
  "unlabeled",
  "opened",
  "reopened",
  "transferred",
]);

/** Asks GitHub only when something may have changed: most news are about cards and pull requests. */
async function readObjectives(
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

/** Without a signal, the board was read because something changed whose webhook never came: it may have been anything. */
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
