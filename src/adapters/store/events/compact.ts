import type { Kysely, Transaction } from "kysely";
import type { TaskCompacted, EventsFolded } from "../../../domain/change.ts";
import type { Instant, TaskId } from "../../../domain/ids.ts";
import type { TaskState } from "../../../domain/task.ts";
import { OPEN, UNFINISHED } from "../queries/read-repo.ts";
import { canonicalJson } from "../rows/columns.ts";
import { explorationFromRow } from "../rows/exploration-rows.ts";
import { eventFromRow, eventRow } from "../rows/event-row.ts";
import type { EventRow } from "../rows/event-row.ts";
import { slices } from "../rows/tables.ts";
import type { Tables } from "../rows/tables.ts";
import { entryFromRow } from "../rows/train-rows.ts";
import { runFromRow, taskFromRow } from "../rows/work-rows.ts";
import { summaryOf } from "./change-facts.ts";
import { lastLink } from "./record.ts";

const ENDED: readonly TaskState[] = ["landed", "failed", "cancelled"];
/** Writers wait while one transaction folds. Fifty tasks take about a tenth of a second. */
const TASKS_AT_A_TIME = 50;

export interface Compacted {
  readonly tasks: number;
  readonly events: number;
}

/** Folds a few tasks in each transaction. If the process is killed in between, the next call goes on from there. */
export async function compact(
  db: Kysely<Tables>,
  before: Instant,
  now: () => Instant,
): Promise<Compacted> {
  let done: Compacted = { tasks: 0, events: 0 };
  for (const ids of slices(await endedTasks(db, before), TASKS_AT_A_TIME)) {
    const folded = await db.transaction().execute((trx) => fold(trx, { ids, before, at: now() }));
    done = { tasks: done.tasks + folded.tasks, events: done.events + folded.events };
    // The embedded engine never gives way by itself. Without this pause, webhooks would wait until everything is folded.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

interface Candidates {
  readonly ids: readonly TaskId[];
  readonly before: Instant;
  readonly at: Instant;
}

async function fold(trx: Transaction<Tables>, candidates: Candidates): Promise<Compacted> {
  const { before, at } = candidates;
  let last = await lastLink(trx);
  const ids = await endedTasks(trx, before, candidates.ids);
  if (ids.length === 0) return { tasks: 0, events: 0 };
  const ofTasks = trx.selectFrom("events").selectAll().where("task", "in", ids);
  const events = await ofTasks.orderBy("seq").execute();
  const summaries = await summarize(trx, { ids, events, at });
  await foldEvents(trx, events);
  for (const change of summaries) {
    const { repo, id: subject } = change.task;
    const event = eventRow(last, { at, repo, subject, change });
    await trx.insertInto("events").values(event).execute();
    last = event;
  }
  return { tasks: ids.length, events: events.length };
}

/** Finds tasks of which nothing can still move: they have no open run, entry or intent, and no event since `before`. */
async function endedTasks(
  db: Kysely<Tables>,
  before: Instant,
  among?: readonly TaskId[],
): Promise<readonly TaskId[]> {
  const ended = db.selectFrom("tasks").select("tasks.id").where("tasks.state", "in", ENDED);
  const old = ended.where("tasks.changedAt", "<", before);
  const rows = await (among === undefined ? old : old.where("tasks.id", "in", among))
    .where((is) => {
      const task = is.ref("tasks.id");
      const events = is.selectFrom("events").select("seq").where("task", "=", task);
      const runs = is.selectFrom("runs").select("id").where("task", "=", task);
      const entries = is.selectFrom("entries").select("id").where("task", "=", task);
      const intents = is.selectFrom("intents").select("id").where("subject", "=", task);
      return is.and([
        is.exists(events),
        is.not(is.exists(events.where("at", ">=", before))),
        is.not(is.exists(runs.where("state", "in", UNFINISHED))),
        is.not(is.exists(entries.where("state", "in", OPEN))),
        is.not(is.exists(intents)),
      ]);
    })
    .orderBy("tasks.changedAt")
    .orderBy("tasks.id")
    .execute();
  return rows.map(({ id }) => id);
}

interface Folding {
  readonly ids: readonly TaskId[];
  readonly events: readonly EventRow[];
  readonly at: Instant;
}

async function summarize(
  trx: Transaction<Tables>,
  { ids, events, at }: Folding,
): Promise<readonly TaskCompacted[]> {
  const tasks = await trx.selectFrom("tasks").selectAll().where("id", "in", ids).execute();
  const runs = await trx.selectFrom("runs").selectAll().where("task", "in", ids).execute();
  const entries = await trx.selectFrom("entries").selectAll().where("task", "in", ids).execute();
  const explored = trx.selectFrom("explorations").selectAll().where("task", "in", ids);
  const explorations = await explored.execute();
  return tasks.map((row) =>
    summaryOf({
      task: taskFromRow(row),
      runs: runs.filter(({ task }) => task === row.id).map(runFromRow),
      explorations: explorations.filter(({ task }) => task === row.id).map(explorationFromRow),
      entries: entries.filter(({ task }) => task === row.id).map(entryFromRow),
      events: events.filter(({ task }) => task === row.id).map(eventFromRow),
      at,
    }),
  );
}

/** Takes the events out of the log. Each unbroken stretch of them is replaced by one row with the hash that the next event follows. */
async function foldEvents(trx: Transaction<Tables>, events: readonly EventRow[]): Promise<void> {
  const gone = [...events, ...(await neighbours(trx, events))];
  for (const some of slices(gone.map(({ seq }) => seq))) {
    await trx.deleteFrom("events").where("seq", "in", some).execute();
  }
  for (const some of slices(stretches(gone))) {
    await trx.insertInto("events").values(some).execute();
  }
}

/** Finds the rows that earlier foldings left right before or after these events. They are joined with the new ones. */
async function neighbours(
  trx: Transaction<Tables>,
  events: readonly EventRow[],
): Promise<readonly EventRow[]> {
  const found = new Map<number, EventRow>();
  const folded = trx.selectFrom("events").selectAll().where("foldedFrom", "is not", null);
  for (const some of slices(events.map(({ seq }) => seq))) {
    const before = await folded
      .where(
        "seq",
        "in",
        some.map((seq) => seq - 1),
      )
      .execute();
    const after = await folded
      .where(
        "foldedFrom",
        "in",
        some.map((seq) => seq + 1),
      )
      .execute();
    for (const row of [...before, ...after]) found.set(row.seq, row);
  }
  return [...found.values()];
}

function stretches(rows: readonly EventRow[]): readonly EventRow[] {
  const merged: EventRow[] = [];
  for (const row of rows.toSorted((a, b) => a.seq - b.seq)) {
    const previous = merged.at(-1);
    const first = row.foldedFrom ?? row.seq;
    if (previous === undefined || previous.seq + 1 !== first) merged.push(placeOf(row, first));
    else merged.splice(-1, 1, placeOf(row, previous.foldedFrom ?? previous.seq));
  }
  return merged;
}

function placeOf({ seq, at, repo, hash }: EventRow, first: number): EventRow {
  const change: EventsFolded = { kind: "events-folded", first, at };
  const place = { seq, at, repo, hash, subject: "log", task: null, foldedFrom: first };
  return { ...place, change: canonicalJson(change) };
}
