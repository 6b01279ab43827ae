import { chmodSync, constants } from "node:fs";
import { access, chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CamelCasePlugin, Kysely, sql } from "kysely";
import Libsql from "libsql";
import { AppError } from "../../shared/app-error.ts";
import { EmbeddedDialect } from "./embedded-dialect.ts";
import type { Engine } from "./engine.ts";
import { translateEngineError } from "./engine-error.ts";
import { takeOwnership } from "./owner-lock.ts";
import type { Tables } from "./tables.ts";

/** SQLite in a folder that this process alone owns while it is open. */
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
    // What every agent's work and every command is remembered in is nobody else's to read.
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

/** FULL: an acknowledged write survives a power loss; with NORMAL it may not. */
function openDatabase(file: string): Libsql.Database {
  try {
    const database = new Libsql(file, { timeout: 5_000 });
    // Before the others are made beside it: they get the same rights.
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

/** The log is folded into the main file, so that a copy of that one file is a backup. */
async function closeEngine(db: Kysely<Tables>, release: () => void): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } finally {
    await db.destroy();
    release();
  }
}
