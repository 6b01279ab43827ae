import type { Change } from "../../domain/change.ts";
import { entryMayFollow } from "../../domain/entry.ts";
import type { Instant, RepoName } from "../../domain/ids.ts";
import { mayFollow } from "../../domain/task.ts";
import { trainMayFollow } from "../../domain/train.ts";

/** Why a change can never be written for this repository, whatever the tables hold. */
export function refusalOf(repo: RepoName, change: Change): string | undefined {
  if (change.kind === "task-moved")
    return mayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "entry-moved")
    return entryMayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "train-moved")
    return trainMayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "task-compacted" || change.kind === "events-folded")
    return "only compaction writes it";
  return "at" in change ? undefined : refusalOfAddition(repo, change);
}

function refusalOfAddition(
  repo: RepoName,
  change: Exclude<Change, { readonly at: Instant }>,
): string | undefined {
  switch (change.kind) {
    case "task-added":
      return foreign(repo, change.task.repo);
    case "run-queued":
      return notQueued(change.run.state);
    case "entry-added":
      return foreign(repo, change.entry.repo) ?? notQueued(change.entry.state);
    case "intent-opened":
      return foreign(repo, change.intent.repo);
    case "command-given":
      return foreign(repo, change.command.repo);
    case "train-added":
      return foreign(repo, change.train.repo);
    case "verdict-given":
      return foreign(repo, change.verdict.repo);
    case "claims-taken":
      return undefined;
  }
}

function foreign(repo: RepoName, named: RepoName): string | undefined {
  return repo === named ? undefined : `it belongs to ${named}`;
}

function notQueued(state: string): string | undefined {
  return state === "queued" ? undefined : `it begins as ${state}, not as queued`;
}

function illegal(move: { readonly from: string; readonly to: string }): string {
  return `${move.to} may not follow ${move.from}`;
}

/** What is refused while the repository is paused. */
export function beginsLanding(change: Change): boolean {
  return change.kind === "intent-opened" && change.intent.kind === "land";
}
