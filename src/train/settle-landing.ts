import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { Sha } from "../domain/ids.ts";
import type { MergeOutcome } from "../ports/github.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideLanded, decideNotLanded } from "./decide-landing.ts";
import type { Landing } from "./landing.ts";

/** Learns from GitHub and git whether the landing happened, and writes that down. Safe to repeat after a crash. */
export async function settleLanding(
  landing: Landing,
  outcome: MergeOutcome,
  deps: Deps,
): Promise<void> {
  const changes = await changesFor(landing, outcome, deps);
  await deps.store.record(landing.context.repo, changes);
  const landed = changes.some((change) => change.kind === "entry-moved" && change.to === "landed");
  if (landed) await removeBranch(landing, deps);
}

/** A branch left behind is untidy, not wrong. */
async function removeBranch({ context, task, keepBranch }: Landing, deps: Deps): Promise<void> {
  if (keepBranch || task.branch === undefined) return;
  try {
    await deps.git.deleteBranch(context.repo, task.branch);
  } catch (error) {
    deps.log.warn({ repo: context.repo, task: task.id, err: error }, "branch left behind");
  }
}

async function changesFor(
  landing: Landing,
  outcome: MergeOutcome,
  deps: Deps,
): Promise<readonly Change[]> {
  const now = deps.clock.now();
  switch (outcome.kind) {
    case "merged":
      return landedAs(outcome.commit, landing, deps);
    case "unknown":
      return readWhetherLanded(landing, deps);
    case "head-moved":
      return decideNotLanded(landing, { to: "superseded", reason: "its head moved", now });
    case "base-moved":
      return decideNotLanded(landing, { to: "queued", reason: "the base branch moved", now });
    case "refused":
      return decideNotLanded(landing, { to: "rejected", reason: outcome.reason, now });
    default:
      return assertNever(outcome);
  }
}

async function landedAs(commit: Sha, landing: Landing, deps: Deps): Promise<readonly Change[]> {
  const { repo, base } = landing.context;
  const tip = await deps.git.fetchBranch(repo, base);
  const seen = tip === commit || (await deps.git.isAncestor(repo, commit, tip));
  if (!seen) return readWhetherLanded(landing, deps);
  const tree = await deps.git.treeOf(repo, commit);
  const [parent] = await deps.git.parentsOf(repo, commit);
  const landed = decideLanded(landing, { commit, tree, parent, now: deps.clock.now() });
  if (landed.breach !== undefined) {
    deps.log.error({ repo, pr: landing.entry.pull, reason: landed.breach }, "landed tree differs");
  }
  return landed.changes;
}

/** The answer was lost: GitHub knows whether it merged, and the base's tip which commit it became. */
async function readWhetherLanded(landing: Landing, deps: Deps): Promise<readonly Change[]> {
  const { context, entry } = landing;
  const { state } = await deps.github.pullState(context.repo, entry.pull);
  if (state === "merged") {
    const tip = await deps.git.fetchBranch(context.repo, context.base);
    return landedAs(tip, landing, deps);
  }
  const now = deps.clock.now();
  return state === "open"
    ? decideNotLanded(landing, { to: "queued", reason: "the landing did not happen", now })
    : decideNotLanded(landing, { to: "superseded", reason: "its pull request was closed", now });
}
