import type { Deps, RepoContext } from "../deps.ts";
import type { Intent } from "../domain/change.ts";
import { instant } from "../domain/ids.ts";
import { AppError } from "../shared/app-error.ts";
import { createIssues } from "./create-issues.ts";
import { ordersOfProposal } from "./orders-of-proposal.ts";
import { readProposal } from "./read-proposal.ts";
import { storeJournal } from "./store-journal.ts";

/** A tick does not hold up landings for minutes: writes are a second apart. */
const STEPS_PER_TICK = 6;
/** Clocks differ; what is looked for has a name of its own anyway. */
const SLACK_MS = 10 * 60_000;

const FINAL: ReadonlySet<string> = new Set(["github-refused", "board-unreadable"]);

/** Goes on opening the issues of an accepted proposal, which stays on record until all are there; true when that is so. */
export async function openTasks(
  context: RepoContext,
  intent: Intent,
  deps: Deps,
): Promise<boolean> {
  const { repo } = context;
  try {
    const result = await openSome(context, intent, deps);
    if (result === undefined) return false;
    await settle(intent, result, deps);
    deps.log.info({ repo, task: intent.subject, reason: result }, "objective broken into tasks");
  } catch (error) {
    if (!(error instanceof AppError) || !FINAL.has(error.code)) throw error;
    // It would be refused again at every tick; what is there already can be seen on the objective.
    deps.notices.set(repo, "objectives", [`${intent.subject}: ${error.message}`]);
    await settle(intent, error.message, deps);
  }
  return true;
}

function settle({ key, repo }: Intent, result: string, deps: Deps): Promise<void> {
  return deps.store.record(repo, [{ kind: "intent-settled", key, result, at: deps.clock.now() }]);
}

/** What came of it; undefined when there is more to do. */
async function openSome(
  { repo, config }: RepoContext,
  { detail, openedAt }: Intent,
  deps: Deps,
): Promise<string | undefined> {
  const issue = Number(detail["issue"]);
  const proposal = readProposal(String(detail["proposal"]), { repo, issue, config });
  // It was good when it was taken: the repository's limits or labels have changed since.
  if (!proposal.ok) return `refused: ${proposal.error.join("; ")}`;
  const made = await createIssues(ordersOfProposal(proposal.value, { issue, config }), {
    ...{ repo, writer: deps.github, journal: storeJournal(repo, deps.store) },
    ...{ since: instant(openedAt - SLACK_MS), most: STEPS_PER_TICK },
  });
  if (made === undefined) return undefined;
  await deps.github.addCards(repo, config, [...made.values()]);
  return [...made.values()].map(({ number }) => `#${number}`).join(", ");
}
