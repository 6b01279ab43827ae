import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { EndedRun } from "../../domain/ended-run.ts";
import type { Instant } from "../../domain/ids.ts";
import type { RunOutcome } from "../../domain/run.ts";
import type { Usage } from "../../domain/usage.ts";
import type { Tables } from "./tables.ts";

/** More than a host runs in a day; every tick reads them. */
const MOST_RECENT = 10_000;

/** Only outcomes whose members matter later are read: the others may carry long texts. */
const SAID = sql<
  string | null
>`case when outcome_kind in ('provider-limited', 'lost') then outcome end`;

export async function recentRuns(db: Kysely<Tables>, since: Instant): Promise<readonly EndedRun[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "repo", "task", "runner", "queuedAt", "startedAt", "finishedAt", "usage"])
    .select(["outcomeKind", SAID.as("said")])
    .where("finishedAt", ">=", since)
    .orderBy("finishedAt", "desc")
    .orderBy("id", "desc")
    .limit(MOST_RECENT)
    .execute();
  return rows.flatMap(({ finishedAt, outcomeKind, said, usage, startedAt, ...row }) => {
    if (finishedAt === null || outcomeKind === null) return [];
    return [
      {
        ...{ ...row, ...membersOf(said), finishedAt, kind: outcomeKind },
        startedAt: startedAt ?? undefined,
        usage: usage === null ? undefined : (JSON.parse(usage) as Usage),
      },
    ];
  });
}

function membersOf(said: string | null): Pick<EndedRun, "until" | "interrupted"> {
  const outcome = said === null ? undefined : (JSON.parse(said) as RunOutcome);
  return {
    until: outcome?.kind === "provider-limited" ? outcome.until : undefined,
    interrupted: outcome?.kind === "lost" && outcome.interrupted === true,
  };
}
