import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Instant, RepoName, RunId, TaskId } from "../../domain/ids.ts";
import type { Size } from "../../domain/plan.ts";
import type { FinishedRun } from "../../ports/store.ts";
import type { Run } from "../../domain/run.ts";
import { runFromRow } from "./run-row.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";

/** A heartbeat that comes late or out of order changes nothing; it is not an event. */
export async function heartbeat(db: Kysely<Tables>, run: RunId, at: Instant): Promise<boolean> {
  const beaten = await db
    .updateTable("runs")
    .set((row) => ({
      heartbeatAt: row
        .case()
        .when("heartbeatAt", ">", at)
        .then(row.ref("heartbeatAt"))
        .else(at)
        .end(),
    }))
    .where("id", "=", run)
    .where("state", "in", ["queued", "running"])
    .executeTakeFirst();
  return beaten.numUpdatedRows === 1n;
}

export async function finishedRuns(
  db: Kysely<Tables>,
  repo: RepoName,
  limit: number,
): Promise<readonly FinishedRun[]> {
  // Of the spec only the size: a text may be long, and 200 of them are read at every tick.
  const succeeded = db
    .selectFrom("runs")
    .leftJoin("tasks", "tasks.id", "runs.task")
    .selectAll("runs")
    .select(sql<Size | null>`json(tasks.spec) ->> 'size'`.as("size"))
    .where("runs.repo", "=", repo)
    .where("runs.outcomeKind", "=", "succeeded");
  const rows = await succeeded.orderBy("runs.finishedAt", "desc").limit(limit).execute();
  return rows.map(({ size, ...row }) => ({ ...runFromRow(row), size: size ?? undefined }));
}

export async function runsOf(
  db: Kysely<Tables>,
  tasks: readonly TaskId[],
): Promise<readonly Run[]> {
  const found: Run[] = [];
  for (const some of slices(tasks)) {
    const rows = db.selectFrom("runs").selectAll().where("task", "in", some);
    found.push(...(await rows.orderBy("queuedAt").orderBy("id").execute()).map(runFromRow));
  }
  return found;
}
