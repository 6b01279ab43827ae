import type { Kysely, Transaction } from "kysely";
import type { EntryState } from "../../../domain/entry.ts";
import type { Exploration } from "../../../domain/exploration.ts";
import { instant } from "../../../domain/ids.ts";
import type { Instant, RepoName, TaskId } from "../../../domain/ids.ts";
import type { RunState } from "../../../domain/run.ts";
import type { Task, TaskState } from "../../../domain/task.ts";
import type { RepoMemory } from "../../../ports/store.ts";
import { explorationFromRow } from "../rows/exploration-rows.ts";
import { slices } from "../rows/tables.ts";
import type { Tables } from "../rows/tables.ts";
import type { TouchedRows } from "../rows/touched-rows.ts";
import { entryFromRow, trainFromRow } from "../rows/train-rows.ts";
import type { EntryRow } from "../rows/train-rows.ts";
import { holdFromRow, intentFromRow, runFromRow, taskFromRow } from "../rows/work-rows.ts";
import type { RunRow, TaskRow } from "../rows/work-rows.ts";

// The states are listed instead of "not landed", because an index finds equal values but never unequal ones.
const OPEN_TASKS: readonly TaskState[] = ["waiting", "blocked", "running", "review", "queued"];
export const UNFINISHED: readonly RunState[] = ["queued", "running"];
export const OPEN: readonly EntryState[] = ["queued", "verifying", "verified", "landing"];

const DAY_MS = 24 * 60 * 60 * 1000;
/** A failed task may hold up its wave until someone deals with it, so it is remembered longer. After thirty days nobody will. */
const REMEMBERED_MS = { landed: DAY_MS, cancelled: DAY_MS, failed: 30 * DAY_MS };

/** Reads one consistent view: the open tasks and those that ended lately, with everything that belongs to them. */
export function readRepo(db: Kysely<Tables>, repo: RepoName, now: Instant): Promise<RepoMemory> {
  return inOneView(db, async (trx) => {
    const tasks = await readTasks(trx, repo, now);
    const ids = tasks.map((task) => task.id);
    const known = tasks.map(taskFromRow);
    return {
      tasks: known,
      runs: (await readRuns(trx, repo, ids)).map(runFromRow),
      explorations: await readExplorations(trx, repo, known),
      entries: (await readEntries(trx, repo, ids)).map(entryFromRow),
      ...(await readFewRows(trx, repo)),
    };
  });
}

export interface Reread {
  readonly repo: RepoName;
  readonly before: RepoMemory;
  readonly touched: TouchedRows;
}

/**
 * Reads the same as `readRepo` at less cost: rows that were not touched are taken from before. A task that is too old by now stays
 * in it: `endOfView` says when a view ends.
 */
export function rereadRepo(
  db: Kysely<Tables>,
  { repo, before, touched }: Reread,
): Promise<RepoMemory> {
  return inOneView(db, async (trx) => {
    const ofRepo = { trx, repo };
    const again = (await rowsById(ofRepo, "tasks", touched.tasks)).map(taskFromRow);
    const tasks = merged(before.tasks, again, touched.tasks).sort(
      (a, b) => a.issue - b.issue || order(a.id, b.id),
    );
    const ids = new Set(tasks.map(({ id }) => id));
    const known = new Set(before.tasks.map(({ id }) => id));
    const fresh = [...ids].filter((id) => !known.has(id));
    const runs = [
      ...(await rowsById(ofRepo, "runs", touched.runs)),
      ...(await readRuns(trx, repo, fresh)),
    ].map(runFromRow);
    const entries = [
      ...(await rowsById(ofRepo, "entries", touched.entries)),
      ...(await readEntries(trx, repo, fresh)),
    ].map(entryFromRow);
    return {
      tasks,
      runs: merged(before.runs, runs, touched.runs)
        .filter(({ state, task }) => UNFINISHED.includes(state) || ids.has(task))
        .sort((a, b) => a.queuedAt - b.queuedAt || order(a.id, b.id)),
      // Few tasks explore, so theirs are always read.
      explorations: await readExplorations(trx, repo, tasks),
      entries: merged(before.entries, entries, touched.entries)
        .filter(({ state, task }) => OPEN.includes(state) || ids.has(task))
        .sort((a, b) => a.enqueuedAt - b.enqueuedAt || order(a.id, b.id)),
      ...(await readFewRows(trx, repo)),
    };
  });
}

function inOneView<T>(
  db: Kysely<Tables>,
  read: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const view = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return view.execute(read);
}

/** Reads the tables of which a repository has few rows, whatever its size. */
async function readFewRows(
  trx: Transaction<Tables>,
  repo: RepoName,
): Promise<Pick<RepoMemory, "intents" | "trains" | "holds" | "fence">> {
  const fences = trx.selectFrom("fences").select("fence").where("id", "=", repo);
  const claims = trx.selectFrom("claims").selectAll().where("repo", "=", repo);
  const intents = trx.selectFrom("intents").selectAll().where("repo", "=", repo);
  const trains = trx.selectFrom("trains").selectAll().where("repo", "=", repo);
  return {
    intents: (await intents.orderBy("openedAt").orderBy("id").execute()).map(intentFromRow),
    trains: (await trains.orderBy("id").execute()).map(trainFromRow),
    holds: (await claims.orderBy("fence").execute()).map(holdFromRow),
    fence: (await fences.executeTakeFirst())?.fence ?? 0,
  };
}

async function rowsById<T extends "tasks" | "runs" | "entries">(
  { trx, repo }: { readonly trx: Transaction<Tables>; readonly repo: RepoName },
  table: T,
  ids: ReadonlySet<string>,
): Promise<readonly RowOf[T][]> {
  const found: unknown[] = [];
  for (const some of slices([...ids])) {
    const rows = trx
      .selectFrom(table as "tasks")
      .selectAll()
      .where("repo", "=", repo);
    found.push(...(await rows.where("id", "in", some as TaskId[]).execute()));
  }
  return found as RowOf[T][];
}

interface RowOf {
  readonly tasks: TaskRow;
  readonly runs: RunRow;
  readonly entries: EntryRow;
}

function merged<T extends { readonly id: string }>(
  before: readonly T[],
  again: readonly T[],
  touched: ReadonlySet<string>,
): T[] {
  return distinct([...before.filter(({ id }) => !touched.has(id)), ...again]);
}

/** Returns the last moment at which none of the tasks is too old to be read. */
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

async function readExplorations(
  trx: Transaction<Tables>,
  repo: RepoName,
  tasks: readonly Task[],
): Promise<readonly Exploration[]> {
  const known = trx.selectFrom("explorations").select("task").where("repo", "=", repo);
  const explored = new Set((await known.execute()).map(({ task }) => task));
  const exploring = tasks.map(({ id }) => id).filter((id) => explored.has(id));
  const rows = trx.selectFrom("explorations").selectAll();
  const found = [];
  for (const some of slices(exploring))
    found.push(...(await rows.where("task", "in", some).execute()));
  return found.map(explorationFromRow).sort((a, b) => a.openedAt - b.openedAt || order(a.id, b.id));
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
