import type { Kysely, Transaction } from "kysely";
import type { Change } from "../../domain/change.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { Proof } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { applyWrite } from "./apply-write.ts";
import { pauseOf } from "./command-queries.ts";
import { holdRefusal } from "./check-hold.ts";
import { canonicalJson } from "./canonical-json.ts";
import { checkProof } from "./check-proof.ts";
import type { Terms } from "./check-proof.ts";
import { eventRow } from "./event-row.ts";
import { lastLink } from "./log-end.ts";
import { project } from "./project.ts";
import { beginsLanding, refusalOf } from "./refusal.ts";
import { subjectOf } from "./subject-of.ts";
import type { Tables } from "./tables.ts";
import { taskOf } from "./task-of.ts";
import { timeOf } from "./time-of.ts";

export interface Batch {
  readonly repo: RepoName;
  readonly changes: readonly Change[];
  readonly proof: Proof | undefined;
}

/** Writes the changes and their events, all or none. */
export async function record(
  db: Kysely<Tables>,
  { repo, changes, proof }: Batch,
  terms: Terms,
): Promise<void> {
  if (changes.length === 0 && proof === undefined) return;
  await db.transaction().execute(async (trx) => {
    let last = await lastLink(trx);
    if (proof !== undefined) await checkProof(trx, proof, terms);
    for (const change of changes) {
      const subject = subjectOf(change);
      const event = eventRow(last, { at: timeOf(change), repo, subject, change });
      // Before the change itself: settling an intent takes away the row that names its task.
      await trx
        .insertInto("events")
        .values({ ...event, task: taskOf(change) })
        .execute();
      await writeChange(trx, repo, change);
      last = event;
    }
  });
}

/** They carry the moment and the names of what they are about: the same once more would be refused. */
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

/** A pause may have come since the landing was decided, and have left the train's row as it was. */
async function pauseRefusal(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<string | undefined> {
  const isRefused = beginsLanding(change) && (await pauseOf(trx, repo)) !== undefined;
  return isRefused ? "the repository is paused" : undefined;
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "store-conflict";
}

function conflict(what: string, reason: string, cause?: unknown): AppError {
  return new AppError("store-conflict", `cannot record ${what}: ${reason}`, { cause });
}
