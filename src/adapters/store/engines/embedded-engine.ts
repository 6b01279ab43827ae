import { chmodSync, constants, readFileSync, rmSync, writeFileSync } from "node:fs";
import { access, chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CamelCasePlugin, Kysely, sql } from "kysely";
import Libsql from "libsql";
import { AppError } from "../../../shared/app-error.ts";
import type { Engine, Tables } from "../rows/tables.ts";
import { EmbeddedDialect, translateEngineError } from "./embedded-dialect.ts";

/** Opens SQLite in a folder that only this process owns while it is open. */
export async function openEmbeddedEngine(folder: string): Promise<Engine> {
  await makeUsable(folder);
  const release = takeOwnership(folder);
  try {
    const database = openDatabase(join(folder, "wavetrain.db"));
    const dialect = new EmbeddedDialect(database);
    const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
    return { db, close: () => closeEngine(db, release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function makeUsable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    // Nobody else may read this folder: it remembers every agent's work and every command.
    await chmod(folder, 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? reasonOf(error.code) : "it is unusable";
    throw new AppError("store-unusable", `cannot keep the store in ${folder}: ${why}`, {
      cause: error,
    });
  }
}

function reasonOf(code: unknown): string {
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
      return "it is a file, not a folder";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "it is read-only for this user";
    case "ENOSPC":
      return "the disk is full";
    default:
      return `the system says ${String(code)}`;
  }
}

/** `synchronous = FULL` makes an acknowledged write survive a power loss; with NORMAL it may be lost. */
function openDatabase(file: string): Libsql.Database {
  try {
    const database = new Libsql(file, { timeout: 5_000 });
    // This comes before SQLite makes its other files: they get the same rights as this one.
    chmodSync(file, 0o600);
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    return database;
  } catch (error) {
    const translated = translateEngineError(error);
    if (translated instanceof AppError) throw translated;
    throw new AppError("store-unusable", `cannot open the store's file ${file}`, { cause: error });
  }
}

/** Folds SQLite's log into the main file, so that a copy of that one file is a backup. */
async function closeEngine(db: Kysely<Tables>, release: () => void): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } finally {
    await db.destroy();
    release();
  }
}

/**
 * Makes this process the only one that uses the folder, until it releases the lock or dies. The lock is a transaction that never ends:
 * the kernel takes it back from a dead process. The process id is for people only and has a file of its own, because closing
 * any other handle of the locked file would drop the lock.
 */
function takeOwnership(folder: string): () => void {
  const pidFile = join(folder, "owner.pid");
  const lock = openLock(join(folder, "owner.lock"));
  try {
    lock.exec("begin exclusive");
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock.close();
    throw ownershipError(error, folder, pidFile);
  }
  return () => {
    rmSync(pidFile, { force: true });
    lock.close();
  };
}

function openLock(file: string): Libsql.Database {
  try {
    return new Libsql(file);
  } catch (error) {
    throw new AppError("store-unusable", `cannot make ${file}`, { cause: error });
  }
}

function ownershipError(error: unknown, folder: string, pidFile: string): AppError {
  const translated = translateEngineError(error);
  if (translated instanceof AppError && translated.code === "store-damaged") return translated;
  if (!(error instanceof Libsql.SqliteError) || error.code !== "SQLITE_BUSY") {
    return new AppError("store-unusable", `cannot lock the store in ${folder}`, { cause: error });
  }
  const owner = ownerIn(pidFile);
  return new AppError("store-locked", `the store in ${folder} is in use by process ${owner}`, {
    cause: error,
  });
}

function ownerIn(pidFile: string): string {
  try {
    return readFileSync(pidFile, "utf8").trim();
  } catch {
    // Somebody holds the lock, but we cannot tell who.
    return "unknown";
  }
}
