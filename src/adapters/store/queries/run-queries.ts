import { sql } from "kysely";
import type { Kysely } from "kysely";
import { OPENING } from "../../../domain/exploration.ts";
import type { Instant, RepoName, RunId, TaskId } from "../../../domain/ids.ts";
import type { Size } from "../../../domain/plan.ts";
import type { Run, RunOutcome, EndedRun, Usage } from "../../../domain/run.ts";
import type { FinishedRun } from "../../../ports/store.ts";
import { slices } from "../rows/tables.ts";
import type { Tables } from "../rows/tables.ts";
import { runFromRow } from "../rows/work-rows.ts";

/** This is more than a host runs in a day. There is a limit because every tick reads them. */
const MAX_RECENT_RUNS = 10_000;

/** Only outcomes whose members are needed are read, because the others may carry long texts. */
const SAID = sql<
  string | null
>`case when outcome_kind in ('provider-limited', 'lost') then outcome end`;

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

export async function finishedRuns(
  db: Kysely<Tables>,
  repo: RepoName,
  limit: number,
): Promise<readonly FinishedRun[]> {
  // Only the size is read from the spec: its text may be long, and 200 of them are read at every tick.
  const succeeded = db
    .selectFrom("runs")
    .leftJoin("tasks", "tasks.id", "runs.task")
    .selectAll("runs")
    .select(sql<Size | null>`json(tasks.spec) ->> 'size'`.as("size"))
    .where("runs.repo", "=", repo)
    .where("runs.outcomeKind", "=", "succeeded")
    // A run that only opens an exploration says nothing about how long work takes.
    .where("runs.contender", ">", OPENING);
  const rows = await succeeded.orderBy("runs.finishedAt", "desc").limit(limit).execute();
  return rows.map(({ size, ...row }) => ({ ...runFromRow(row), size: size ?? undefined }));
}

export async function recentRuns(db: Kysely<Tables>, since: Instant): Promise<readonly EndedRun[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "repo", "task", "runner", "queuedAt", "startedAt", "finishedAt", "usage"])
    .select(["agentEndedAt", "host", "definition", "outcomeKind", SAID.as("said")])
    .where((row) =>
      row.or([row("finishedAt", ">=", since), row("outcomeKind", "=", "not-logged-in")]),
    )
    // A run that only opened an exploration says nothing about a runner that it never asked.
    .where((row) => row.or([row("contender", ">", OPENING), row("startedAt", "is not", null)]))
    .orderBy("finishedAt", "desc")
    .orderBy("id", "desc")
    .limit(MAX_RECENT_RUNS)
    .execute();
  return rows.flatMap(({ finishedAt, outcomeKind, said, usage, ...row }) => {
    if (finishedAt === null || outcomeKind === null) return [];
    return [
      {
        ...row,
        ...saidMembers(said),
        finishedAt,
        kind: outcomeKind,
        startedAt: row.startedAt ?? undefined,
        agentEndedAt: row.agentEndedAt ?? undefined,
        host: row.host ?? undefined,
        definition: row.definition ?? undefined,
        usage: usage === null ? undefined : (JSON.parse(usage) as Usage),
      },
    ];
  });
}

export async function runnerLifts(db: Kysely<Tables>): Promise<ReadonlyMap<string, Instant>> {
  const rows = await db
    .selectFrom("runnerLifts")
    .select(({ fn }) => ["runner", fn.max("at").as("at")])
    .groupBy("runner")
    .execute();
  return new Map(rows.map(({ runner, at }) => [runner, at]));
}

function saidMembers(said: string | null): Pick<EndedRun, "until" | "interrupted"> {
  const outcome = said === null ? undefined : (JSON.parse(said) as RunOutcome);
  return {
    until: outcome?.kind === "provider-limited" ? outcome.until : undefined,
    interrupted: outcome?.kind === "lost" && outcome.interrupted === true,
  };
}
