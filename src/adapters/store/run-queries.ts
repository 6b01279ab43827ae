import type { Kysely } from "kysely";
import type { Instant, RepoName, RunId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import { runFromRow } from "./run-row.ts";
import type { Tables } from "./tables.ts";

/** A heartbeat that comes late or out of order changes nothing; it is not an event. */
export async function heartbeat(db: Kysely<Tables>, run: RunId, at: Instant): Promise<void> {
  const running = db.updateTable("runs").set({ heartbeatAt: at }).where("id", "=", run);
  await running.where("state", "=", "running").where("heartbeatAt", "<", at).execute();
}

export async function finishedRuns(
  db: Kysely<Tables>,
  repo: RepoName,
  limit: number,
): Promise<readonly Run[]> {
  const succeeded = db
    .selectFrom("runs")
    .selectAll()
    .where("repo", "=", repo)
    .where("outcomeKind", "=", "succeeded");
  const rows = await succeeded.orderBy("finishedAt", "desc").limit(limit).execute();
  return rows.map(runFromRow);
}
