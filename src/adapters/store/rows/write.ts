import type { Transaction } from "kysely";
import type { Claim } from "../../../domain/claim/claim.ts";
import type { Instant, RepoName, RunId, TaskId } from "../../../domain/ids.ts";
import type { RepoRenamed } from "../../../domain/change.ts";
import { withClaims } from "../../../domain/task.ts";
import { canonicalJson } from "./columns.ts";
import { moveRepo } from "./move-repo.ts";
import type { ProjectedTables, Tables } from "./tables.ts";
import { claimsFrom } from "./work-rows.ts";

/** Describes one thing that a change does to a row. */
export type Write =
  | { [T in keyof ProjectedTables]: Insert<T> | Update<T> }[keyof ProjectedTables]
  | Delete
  | Release
  | Extend
  | Advance
  | Move;

interface Insert<T extends keyof ProjectedTables> {
  readonly kind: "insert";
  readonly table: T;
  readonly row: ProjectedTables[T];
}

export interface Update<T extends keyof ProjectedTables> {
  readonly kind: "update";
  readonly table: T;
  readonly id: string;
  /** The row must be in one of these states. */
  readonly from: readonly string[] | "any";
  /** The row must have been changed last at this time. It is left out where only the state matters. */
  readonly changedAt?: Instant;
  readonly set: Partial<ProjectedTables[T]>;
}

interface Delete {
  readonly kind: "delete";
  readonly table: "intents";
  readonly id: string;
}

/** Releases the claims that the task holds, if it holds any. */
interface Release {
  readonly kind: "release";
  readonly table: "claims";
  readonly id: TaskId;
}

export interface Extend {
  readonly kind: "extend";
  readonly table: "claims";
  readonly id: TaskId;
  /** The hold must belong to this run and have this number. */
  readonly run: RunId;
  readonly fence: number;
  readonly add: readonly Claim[];
}

/** The number in the table must be one less before this write. */
export interface Advance {
  readonly kind: "advance";
  readonly table: "fences";
  readonly id: RepoName;
  readonly to: number;
}

/** Moves everything that is known of a repository to its new name. */
export interface Move {
  readonly kind: "move";
  readonly renamed: RepoRenamed;
}

/** `project` has already paired each table with its columns; the query builder cannot follow that pairing. */
type PairedTables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Carries out the write. It returns false when the row is not as the write needs it. */
export async function applyWrite(
  trx: Transaction<Tables>,
  repo: RepoName,
  write: Write,
): Promise<boolean> {
  const paired = trx as unknown as Transaction<PairedTables>;
  switch (write.kind) {
    case "insert": {
      const row = paired.insertInto(write.table).values({ ...write.row });
      return (await row.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    }
    case "update": {
      const { from, changedAt } = write;
      const row = paired.updateTable(write.table).set(write.set).where("id", "=", write.id);
      const inState = from === "any" ? row : row.where("state", "in", from);
      const guarded =
        changedAt === undefined ? inState : inState.where("changedAt", "=", changedAt);
      return (await guarded.where("repo", "=", repo).executeTakeFirst()).numUpdatedRows === 1n;
    }
    case "delete": {
      const row = trx.deleteFrom(write.table).where("id", "=", write.id).where("repo", "=", repo);
      return (await row.executeTakeFirst()).numDeletedRows === 1n;
    }
    case "release":
      await trx.deleteFrom("claims").where("id", "=", write.id).execute();
      return true;
    case "extend":
      return extend(trx, repo, write);
    case "advance":
      return advance(trx, write);
    case "move":
      return moveRepo(trx, write.renamed);
  }
}

async function extend(
  trx: Transaction<Tables>,
  repo: RepoName,
  { id, run, fence, add }: Extend,
): Promise<boolean> {
  const ofTask = trx.selectFrom("claims").select("claims").where("id", "=", id);
  const ofRun = ofTask.where("repo", "=", repo).where("run", "=", run).where("fence", "=", fence);
  const held = await ofRun.executeTakeFirst();
  if (held === undefined) return false;
  const claims = canonicalJson(withClaims(claimsFrom(held.claims), add));
  await trx.updateTable("claims").set({ claims }).where("id", "=", id).execute();
  return true;
}

/** Two writers that read the same number cannot both continue from it: the second one finds another number. */
async function advance(trx: Transaction<Tables>, { id, to }: Advance): Promise<boolean> {
  if (to === 1) {
    const first = trx.insertInto("fences").values({ id, fence: to });
    const done = await first
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return done.numInsertedOrUpdatedRows === 1n;
  }
  const next = trx.updateTable("fences").set({ fence: to }).where("id", "=", id);
  return (await next.where("fence", "=", to - 1).executeTakeFirst()).numUpdatedRows === 1n;
}
