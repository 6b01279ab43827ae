import type { Kysely, Transaction } from "kysely";
import type { EntryState } from "../../domain/entry.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant, RepoName, TaskId } from "../../domain/ids.ts";
import type { RunState } from "../../domain/run.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { holdFromRow } from "./claim-row.ts";
import { entryFromRow } from "./entry-row.ts";
import type { EntryRow } from "./entry-row.ts";
import { intentFromRow } from "./intent-row.ts";
import { runFromRow } from "./run-row.ts";
import type { RunRow } from "./run-row.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";
import { taskFromRow } from "./task-row.ts";
import type { TaskRow } from "./task-row.ts";
import { trainFromRow } from "./train-row.ts";

// Listed rather than "not landed": an index finds equal values, never unequal ones.
const OPEN_TASKS: readonly TaskState[] = ["waiting", "blocked", "running", "review", "queued"];
export const UNFINISHED: readonly RunState[] = ["queued", "running"];
export const OPEN: readonly EntryState[] = ["queued", "verifying", "verified", "landing"];

const DAY_MS = 24 * 60 * 60 * 1000;
/** A given-up task may hold its wave up until someone deals with it; nobody does after that long. */
const REMEMBERED_MS = { landed: DAY_MS, cancelled: DAY_MS, failed: 30 * DAY_MS };

/** One consistent view: the open tasks and those that ended lately, with all that belongs to them. */
export async function readRepo(
  db: Kysely<Tables>,
  repo: RepoName,
  now: Instant,
): Promise<RepoMemory> {
  const view = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return view.execute(async (trx) => {
    const fences = trx.selectFrom("fences").select("fence").where("id", "=", repo);
    const tasks = await readTasks(trx, repo, now);
    const ids = tasks.map((task) => task.id);
    const claims = trx.selectFrom("claims").selectAll().where("repo", "=", repo);
    const intents = trx.selectFrom("intents").selectAll().where("repo", "=", repo);
    const trains = trx.selectFrom("trains").selectAll().where("repo", "=", repo);
    return {
      tasks: tasks.map(taskFromRow),
      runs: (await readRuns(trx, repo, ids)).map(runFromRow),
      entries: (await readEntries(trx, repo, ids)).map(entryFromRow),
      intents: (await intents.orderBy("openedAt").orderBy("id").execute()).map(intentFromRow),
      trains: (await trains.orderBy("id").execute()).map(trainFromRow),
      holds: (await claims.orderBy("fence").execute()).map(holdFromRow),
      fence: (await fences.executeTakeFirst())?.fence ?? 0,
    };
  });
}

/** The last moment at which none of the tasks is too old to be read. */
export function endOfView(tasks: readonly Task[]): number {
  const rememberedMs: Readonly<Partial<Record<TaskState, number>>> = REMEMBERED_MS;
  const ends = tasks.map(({ state, changedAt }) => changedAt + (rememberedMs[state] ?? Infinity));
  return ends.reduce((first, end) => Math.min(first, end), Infinity);
}

async function readTasks(
  trx: Transaction<Tables>,
  repo: RepoName,
  now: Instant,
): Promise<readonly TaskRow[]> {
  const ofRepo = trx.selectFrom("tasks").selectAll().where("repo", "=", repo);
  const ended = (state: keyof typeof REMEMBERED_MS) =>
    ofRepo.where("state", "=", state).where("changedAt", ">=", instant(now - REMEMBERED_MS[state]));
  return ofRepo
    .where("state", "in", OPEN_TASKS)
    .unionAll(ended("landed"))
    .unionAll(ended("cancelled"))
    .unionAll(ended("failed"))
    .orderBy("issue")
    .orderBy("id")
    .execute();
}

async function readRuns(
  trx: Transaction<Tables>,
  repo: RepoName,
  tasks: readonly TaskId[],
): Promise<readonly RunRow[]> {
  const rows = trx.selectFrom("runs").selectAll();
  const found = [await rows.where("repo", "=", repo).where("state", "in", UNFINISHED).execute()];
  for (const some of slices(tasks)) found.push(await rows.where("task", "in", some).execute());
  return distinct(found.flat()).sort((a, b) => a.queuedAt - b.queuedAt || order(a.id, b.id));
}

async function readEntries(
  trx: Transaction<Tables>,
  repo: RepoName,
  tasks: readonly TaskId[],
): Promise<readonly EntryRow[]> {
  const rows = trx.selectFrom("entries").selectAll();
  const found = [await rows.where("repo", "=", repo).where("state", "in", OPEN).execute()];
  for (const some of slices(tasks)) found.push(await rows.where("task", "in", some).execute());
  return distinct(found.flat()).sort((a, b) => a.enqueuedAt - b.enqueuedAt || order(a.id, b.id));
}

function distinct<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1;
}
