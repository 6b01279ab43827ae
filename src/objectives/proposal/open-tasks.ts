import type { Intent } from "../../domain/change.ts";
import { instant } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { MadeIssue } from "../../ports/issue-writer.ts";
import type { Store } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { createIssues } from "./create-issues.ts";
import type { Journal } from "./create-issues.ts";
import { ordersOfProposal } from "./orders-of-proposal.ts";
import { readProposal } from "./read-proposal.ts";

/** Writes are a second apart, so more steps would make a tick hold up landings for minutes. */
const MAX_STEPS_PER_TICK = 6;
/** Clocks differ, so older issues are searched too. That does no harm: each issue is found by its own alias. */
const CLOCK_SLACK_MS = 10 * 60_000;

const FINAL_ERRORS: ReadonlySet<string> = new Set(["github-refused", "board-unreadable"]);

/** Goes on opening the issues of an accepted proposal, which stays on record until all are open. Returns true when they are. */
export async function openTasks(
  context: RepoContext,
  intent: Intent,
  deps: Pick<Deps, "clock" | "github" | "log" | "notices" | "store">,
): Promise<boolean> {
  const { repo } = context;
  try {
    const result = await openSome(context, intent, deps);
    if (result === undefined) return false;
    await closeIntent(intent, result, deps);
    deps.log.info({ repo, task: intent.subject, reason: result }, "objective broken into tasks");
  } catch (error) {
    if (!(error instanceof AppError) || !FINAL_ERRORS.has(error.code)) throw error;
    // GitHub would refuse it again at every tick. The issues that were opened can be seen on the objective.
    deps.notices.set(repo, "objectives", [`${intent.subject}: ${error.message}`]);
    await closeIntent(intent, error.message, deps);
  }
  return true;
}

function closeIntent(
  { key, repo }: Intent,
  result: string,
  deps: Pick<Deps, "clock" | "store">,
): Promise<void> {
  return deps.store.record(repo, [{ kind: "intent-closed", key, result, at: deps.clock.now() }]);
}

/** Returns the result in words, or undefined when there is more to do. */
async function openSome(
  { repo, config }: RepoContext,
  { detail, openedAt }: Intent,
  deps: Pick<Deps, "github" | "store">,
): Promise<string | undefined> {
  const issue = Number(detail["issue"]);
  const proposal = readProposal(String(detail["proposal"]), { repo, issue, config });
  // The proposal was good when it was taken, so the repository's limits or labels have changed since.
  if (!proposal.ok) return `refused: ${proposal.error.join("; ")}`;
  const made = await createIssues(ordersOfProposal(proposal.value, { issue, config }), {
    repo,
    writer: deps.github,
    journal: storeJournal(repo, deps.store),
    since: instant(openedAt - CLOCK_SLACK_MS),
    most: MAX_STEPS_PER_TICK,
  });
  if (made === undefined) return undefined;
  await deps.github.addCards(repo, config, [...made.values()]);
  return [...made.values()].map(({ number }) => `#${number}`).join(", ");
}

/** Keeps the app's orders in the store, like everything else that it wrote for people. */
function storeJournal(
  repo: RepoName,
  store: Pick<Store, "publication" | "savePublication">,
): Journal {
  const keyOf = (alias: string): string => `issue:${repo}:${alias}`;
  return {
    async read(alias) {
      const known = await store.publication(keyOf(alias));
      if (known === undefined) return undefined;
      if (known.digest === "announced") return { state: "announced" };
      const state = known.digest === "related" ? "related" : "made";
      return { state, issue: JSON.parse(known.remoteId) as MadeIssue };
    },
    write: (alias, progress) =>
      store.savePublication({
        key: keyOf(alias),
        remoteId: progress.state === "announced" ? "" : JSON.stringify(progress.issue),
        digest: progress.state,
      }),
  };
}
