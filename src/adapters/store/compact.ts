import type { Kysely, Transaction } from "kysely";
import type { TaskCompacted } from "../../domain/change.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import type { TaskState } from "../../domain/task.ts";
import { entryFromRow } from "./entry-row.ts";
import { eventFromRow, eventRow } from "./event-row.ts";
import type { EventRow } from "./event-row.ts";
import { foldEvents } from "./fold-events.ts";
import { lastLink } from "./log-end.ts";
import { OPEN, UNFINISHED } from "./read-repo.ts";
import { runFromRow } from "./run-row.ts";
import { slices } from "./slices.ts";
import { summaryOf } from "./summary-of.ts";
import type { Tables } from "./tables.ts";
import { taskFromRow } from "./task-row.ts";

const ENDED: readonly TaskState[] = ["landed", "failed", "cancelled"];
/** Writers wait while one transaction folds: about a tenth of a second's work. */
const TASKS_AT_A_TIME = 50;

export interface Compacted {
  readonly tasks: number;
  readonly events: number;
}

/** Folds task by task, a few in each transaction: killed in between, the next call goes on from there. */
export async function compact(
  db: Kysely<Tables>,
  before: Instant,
  now: () => Instant,
): Promise<Compacted> {
  let done: Compacted = { tasks: 0, events: 0 };
  for (const ids of slices(await endedTasks(db, before), TASKS_AT_A_TIME)) {
    const folded = await db.transaction().execute((trx) => fold(trx, { ids, before, at: now() }));
    done = { tasks: done.tasks + folded.tasks, events: done.events + folded.events };
    // The embedded engine never waits for anything: without this, webhooks would wait for the whole of it.
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

/** Nothing of them can still move: no run, no entry and no intent is open, and nothing was said of them since. */
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
  return tasks.map((row) =>
    summaryOf({
      task: taskFromRow(row),
      runs: runs.filter(({ task }) => task === row.id).map(runFromRow),
      entries: entries.filter(({ task }) => task === row.id).map(entryFromRow),
      events: events.filter(({ task }) => task === row.id).map(eventFromRow),
      at,
    }),
  );
}
