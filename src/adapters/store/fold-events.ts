import type { Transaction } from "kysely";
import type { EventsFolded } from "../../domain/change.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { EventRow } from "./event-row.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";

/** Takes the events out of the log. In place of each stretch of them stays one row with the hash that the next event follows. */
export async function foldEvents(
  trx: Transaction<Tables>,
  events: readonly EventRow[],
): Promise<void> {
  const gone = [...events, ...(await neighbours(trx, events))];
  for (const some of slices(gone.map(({ seq }) => seq))) {
    await trx.deleteFrom("events").where("seq", "in", some).execute();
  }
  for (const some of slices(stretches(gone))) {
    await trx.insertInto("events").values(some).execute();
  }
}

/** Places of earlier foldings right before or after these events: they become one with them. */
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
