import type { Kysely } from "kysely";
import type { Instant, RepoName, TaskId } from "../../domain/ids.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { Publication, RecordedEvent, RepoMemory, Store } from "../../ports/store.ts";
import { compact } from "./events/compact.ts";
import type { Terms } from "./events/guards.ts";
import { isRecorded, record } from "./events/record.ts";
import { answersOn, command, pauseOf, pendingCommands } from "./queries/command-queries.ts";
import { acquireLease, releaseLease, renewLease } from "./queries/lease-queries.ts";
import { nameRepo, repoNames } from "./queries/name-queries.ts";
import { readRepo, rereadRepo } from "./queries/read-repo.ts";
import { recentRuns, finishedRuns, heartbeat, runnerLifts, runsOf } from "./queries/run-queries.ts";
import {
  signalIntake,
  forgetSignals,
  knownSignals,
  markSeen,
  unseenSignals,
} from "./queries/signal-queries.ts";
import { eventFromRow } from "./rows/event-row.ts";
import { slices } from "./rows/tables.ts";
import type { Engine, Tables } from "./rows/tables.ts";
import type { TouchedRows } from "./rows/touched-rows.ts";
import { taskFromRow } from "./rows/work-rows.ts";

/** This allows ten missed heartbeats at the default interval, because a host that pauses is not dead yet. */
const STALE_AFTER_MS = 5 * 60 * 1000;

export interface SqlStoreOptions {
  readonly now: () => Instant;
  /** A run that is silent for longer than this can no longer write. */
  readonly staleAfterMs?: number;
}

export interface SqlStore extends Store {
  /** Does the same as `readRepo` for a caller that knows what was there before and what was touched since. */
  rereadRepo(repo: RepoName, before: RepoMemory, touched: TouchedRows): Promise<RepoMemory>;
}

/** Makes the store on any engine whose schema is up to date. */
export function sqlStore(engine: Engine, { now, staleAfterMs }: SqlStoreOptions): SqlStore {
  const { db } = engine;
  const terms = (): Terms => ({ now: now(), staleAfterMs: staleAfterMs ?? STALE_AFTER_MS });
  return {
    record: (repo, changes, proof) => record(db, { repo, changes, proof }, terms()),
    isRecorded: (repo, changes) => isRecorded(db, repo, changes),
    readRepo: (repo) => readRepo(db, repo, now()),
    rereadRepo: (repo, before, touched) => rereadRepo(db, { repo, before, touched }),
    tasks: (ids) => tasks(db, ids),
    runsOf: (ids) => runsOf(db, ids),
    taskStates: (ids) => taskStates(db, ids),
    heartbeat: (run, at) => heartbeat(db, run, at),
    acquireLease: (name, holder, ttlMs) => acquireLease(db, { name, holder, ttlMs }, now()),
    renewLease: (lease, ttlMs) => renewLease(db, { lease, ttlMs }, now()),
    releaseLease: (lease) => releaseLease(db, lease),
    addSignal: signalIntake(db),
    knownSignals: (deliveryIds) => knownSignals(db, deliveryIds),
    unseenSignals: () => unseenSignals(db),
    markSeen: (deliveryIds, at) => markSeen(db, deliveryIds, at),
    forgetSignals: (before) => forgetSignals(db, before),
    command: (id) => command(db, id),
    pendingCommands: (repo) => pendingCommands(db, repo),
    answersOn: (repo, issues) => answersOn(db, repo, issues),
    pauseOf: (repo) => pauseOf(db, repo),
    publication: (key) => publication(db, key),
    publications: (keys) => publications(db, keys),
    savePublication: (saved) => savePublication(db, saved),
    events: (after, limit) => events(db, after, limit),
    compact: (before) => compact(db, before, now),
    verdicts: (repo, tree, commandHash) => verdicts(db, { repo, tree, commandHash }),
    finishedRuns: (repo, limit) => finishedRuns(db, repo, limit),
    recentRuns: (since) => recentRuns(db, since),
    runnerLifts: () => runnerLifts(db),
    repoNames: () => repoNames(db),
    nameRepo: (naming) => nameRepo(db, naming),
    close: () => engine.close(),
  };
}

async function tasks(db: Kysely<Tables>, ids: readonly TaskId[]): Promise<readonly Task[]> {
  const found: Task[] = [];
  for (const some of slices(ids)) {
    const rows = await db.selectFrom("tasks").selectAll().where("id", "in", some).execute();
    found.push(...rows.map(taskFromRow));
  }
  return found;
}

async function taskStates(
  db: Kysely<Tables>,
  ids: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, TaskState>> {
  const states = new Map<TaskId, TaskState>();
  for (const some of slices(ids)) {
    const known = db.selectFrom("tasks").select(["id", "state"]).where("id", "in", some);
    for (const { id, state } of await known.execute()) states.set(id, state);
  }
  return states;
}

async function publication(db: Kysely<Tables>, key: string): Promise<Publication | undefined> {
  return db.selectFrom("publications").selectAll().where("key", "=", key).executeTakeFirst();
}

async function publications(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Publication>> {
  const found = new Map<string, Publication>();
  for (const some of slices(keys)) {
    const rows = db.selectFrom("publications").selectAll().where("key", "in", some);
    for (const row of await rows.execute()) found.set(row.key, row);
  }
  return found;
}

async function savePublication(
  db: Kysely<Tables>,
  { key, remoteId, digest }: Publication,
): Promise<void> {
  await db
    .insertInto("publications")
    .values({ key, remoteId, digest })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ remoteId, digest }))
    .execute();
}

async function events(
  db: Kysely<Tables>,
  after: number,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const newer = db.selectFrom("events").selectAll().where("seq", ">", after);
  return (await newer.orderBy("seq").limit(limit).execute()).map(eventFromRow);
}

async function verdicts(
  db: Kysely<Tables>,
  { repo, tree, commandHash }: Pick<Verdict, "repo" | "tree" | "commandHash">,
): Promise<readonly Verdict[]> {
  const known = db.selectFrom("verdicts").selectAll().where("repo", "=", repo);
  const ofTree = known.where("tree", "=", tree).where("commandHash", "=", commandHash);
  return ofTree.orderBy("at").orderBy("id").execute();
}
