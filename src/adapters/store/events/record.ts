import type { Kysely, Transaction } from "kysely";
import type { Change } from "../../../domain/change.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { Proof } from "../../../ports/store.ts";
import { AppError } from "../../../shared/app-error.ts";
import { isFormerName } from "../queries/name-queries.ts";
import { canonicalJson } from "../rows/columns.ts";
import { eventRow, FIRST_LINK } from "../rows/event-row.ts";
import type { Link } from "../rows/event-row.ts";
import { project } from "../rows/project.ts";
import type { Tables } from "../rows/tables.ts";
import { applyWrite } from "../rows/write.ts";
import { subjectOf, taskOf, timeOf } from "./change-facts.ts";
import { checkProof, holdRefusal, pauseRefusal, refusalOf } from "./guards.ts";
import type { Terms } from "./guards.ts";

export interface Batch {
  readonly repo: RepoName;
  readonly changes: readonly Change[];
  readonly proof: Proof | undefined;
}

/** Writes all changes and their events, or none of them. */
export async function record(
  db: Kysely<Tables>,
  { repo, changes, proof }: Batch,
  terms: Terms,
): Promise<void> {
  if (changes.length === 0 && proof === undefined) return;
  await db.transaction().execute(async (trx) => {
    let last = await lastLink(trx);
    if (proof !== undefined) await checkProof(trx, proof, terms);
    if (await isFormerName(trx, repo)) throw conflict(`anything of ${repo}`, "it was renamed");
    for (const change of changes) {
      const subject = subjectOf(change);
      const event = eventRow(last, { at: timeOf(change), repo, subject, change });
      // The event is written before the change itself, because closing an intent removes the row that names its task.
      await trx
        .insertInto("events")
        .values({ ...event, task: taskOf(change) })
        .execute();
      await writeChange(trx, repo, change);
      last = event;
    }
  });
}

/**
 * Says whether the log has exactly these changes. Each change carries its time and the names of what it is about, so a second
 * equal one would have been refused.
 */
export async function isRecorded(
  db: Kysely<Tables>,
  repo: RepoName,
  changes: readonly Change[],
): Promise<boolean> {
  for (const change of changes) {
    const ofRepo = db.selectFrom("events").select("seq").where("repo", "=", repo);
    const same = ofRepo
      .where("subject", "=", subjectOf(change))
      .where("at", "=", timeOf(change))
      .where("change", "=", canonicalJson(change));
    if ((await same.executeTakeFirst()) === undefined) return false;
  }
  return changes.length > 0;
}

/** Reads the last link of the chain, which the next event follows. Whoever appends must ask for it first. */
export async function lastLink(trx: Kysely<Tables>): Promise<Link> {
  const newest = trx.selectFrom("events").select(["seq", "hash"]).orderBy("seq", "desc").limit(1);
  return (await newest.executeTakeFirst()) ?? FIRST_LINK;
}

async function writeChange(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<void> {
  const what = `${change.kind} of ${subjectOf(change)} in ${repo}`;
  const refusal =
    refusalOf(repo, change) ??
    (await holdRefusal(trx, repo, change)) ??
    (await pauseRefusal(trx, repo, change));
  if (refusal !== undefined) throw conflict(what, refusal);
  for (const write of project(repo, change)) {
    const done = await applyWrite(trx, repo, write).catch((error: unknown) => {
      throw isConflict(error) ? conflict(what, "another row rules it out", error) : error;
    });
    if (!done) throw conflict(what, "it is not in the state that the change starts from");
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "store-conflict";
}

function conflict(what: string, reason: string, cause?: unknown): AppError {
  return new AppError("store-conflict", `cannot record ${what}: ${reason}`, { cause });
}
