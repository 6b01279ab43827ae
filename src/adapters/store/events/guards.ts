import type { Transaction } from "kysely";
import type { Change } from "../../../domain/change.ts";
import { entryMayFollow } from "../../../domain/entry.ts";
import { instant } from "../../../domain/ids.ts";
import type { Instant, RunId, RepoName } from "../../../domain/ids.ts";
import { mayFollow, holdsClaims } from "../../../domain/task.ts";
import { trainMayFollow } from "../../../domain/train.ts";
import type { Lease, Proof } from "../../../ports/store.ts";
import { AppError } from "../../../shared/app-error.ts";
import { pauseOf } from "../queries/command-queries.ts";
import type { Tables } from "../rows/tables.ts";

export interface Terms {
  readonly now: Instant;
  /** A run that was silent for longer than this may have been given to someone else. */
  readonly staleAfterMs: number;
}

/**
 * Throws `store-fenced` when the proof no longer holds. The row that the proof rests on is written with its own values: on an
 * engine with many writers, this keeps the row unchanged until the transaction ends.
 */
export async function checkProof(
  trx: Transaction<Tables>,
  proof: Proof,
  terms: Terms,
): Promise<void> {
  const holds =
    proof.kind === "lease"
      ? await leaseHolds(trx, proof.lease, terms.now)
      : await runHolds(trx, proof, terms);
  if (holds) return;
  const whose = proof.kind === "lease" ? `lease ${proof.lease.name}` : `run ${proof.run}`;
  throw new AppError("store-fenced", `cannot record by the right of ${whose}: it is lost`);
}

/** Says why a change can never be written for this repository, whatever the tables hold. */
export function refusalOf(repo: RepoName, change: Change): string | undefined {
  if (change.kind === "task-moved")
    return mayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "entry-moved")
    return entryMayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "train-moved")
    return trainMayFollow(change.from, change.to) ? undefined : illegal(change);
  if (change.kind === "task-compacted" || change.kind === "events-folded")
    return "only compaction writes it";
  return "at" in change ? refusalOfStep(repo, change) : refusalOfAddition(repo, change);
}

/** Says why claims cannot be taken now: only a task at work may hold any, and only for one of its own runs that has not begun. */
export async function holdRefusal(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<string | undefined> {
  if (change.kind !== "claims-taken") return undefined;
  const { task, run } = change.hold;
  const tasks = trx.selectFrom("tasks").select("state").where("id", "=", task);
  const state = (await tasks.where("repo", "=", repo).executeTakeFirst())?.state;
  if (state === undefined || !holdsClaims(state)) return "the task is not at work";
  const runs = trx.selectFrom("runs").select("state").where("id", "=", run);
  const found = await runs.where("task", "=", task).executeTakeFirst();
  return found?.state === "queued" ? undefined : "the run is not a queued one of the task";
}

/**
 * Refuses a landing in a paused repository. The pause may have come after the landing was decided, without changing the train's
 * row.
 */
export async function pauseRefusal(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<string | undefined> {
  const isRefused = beginsLanding(change) && (await pauseOf(trx, repo)) !== undefined;
  return isRefused ? "the repository is paused" : undefined;
}

/** Says whether the change begins a landing, which is refused while the repository is paused. */
export function beginsLanding(change: Change): boolean {
  return change.kind === "intent-opened" && change.intent.kind === "land";
}

async function leaseHolds(
  trx: Transaction<Tables>,
  { name, holder, fence }: Lease,
  now: Instant,
): Promise<boolean> {
  const same = trx.updateTable("leases").set((row) => ({ fence: row.ref("fence") }));
  const own = same.where("name", "=", name).where("holder", "=", holder);
  const valid = own.where("fence", "=", fence).where("expiresAt", ">", now);
  return (await valid.executeTakeFirst()).numUpdatedRows === 1n;
}

async function runHolds(
  trx: Transaction<Tables>,
  { run, fence }: { readonly run: RunId; readonly fence: number },
  { now, staleAfterMs }: Terms,
): Promise<boolean> {
  const alive = await trx
    .updateTable("runs")
    .set((row) => ({ state: row.ref("state") }))
    .where("id", "=", run)
    .where("state", "in", ["queued", "running"])
    .where(({ fn }) => fn.coalesce("heartbeatAt", "queuedAt"), ">=", instant(now - staleAfterMs))
    .executeTakeFirst();
  if (alive.numUpdatedRows !== 1n) return false;
  // The hold is found by the task: all contenders of an attempt, and a run that continues a pull request, work under one hold.
  const held = trx.selectFrom("claims").innerJoin("runs", "runs.task", "claims.id");
  const own = held.select("claims.id").where("runs.id", "=", run).where("claims.fence", "=", fence);
  return (await own.executeTakeFirst()) !== undefined;
}

function refusalOfStep(repo: RepoName, change: Change): string | undefined {
  return change.kind === "repo-renamed" ? foreign(repo, change.from) : undefined;
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
    case "exploration-opened":
      return foreign(repo, change.exploration.repo);
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
    case "runner-lifted":
      return foreign(repo, change.lift.repo);
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
