import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { AppError } from "../../shared/app-error.ts";
import { translateEngineError } from "./engine-error.ts";

/**
 * Makes this process the only one that uses the folder, until it releases the lock or dies. The lock is a transaction that never ends:
 * the kernel takes it back from a dead process. The process id is for people only and has a file of its own, because closing
 * any other handle of the locked file would drop the lock.
 */
export function takeOwnership(folder: string): () => void {
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
    // Somebody has it, whoever it is.
    return "unknown";
  }
}
