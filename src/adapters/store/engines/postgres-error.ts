import pg from "pg";
import { AppError } from "../../../shared/app-error.ts";

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

/**
 * Says in our words what PostgreSQL reports by SQLSTATE or the system by code. An error in one of our own statements stays as it
 * is.
 */
export function translatePostgresError(error: unknown, address: string): unknown {
  if (error instanceof pg.DatabaseError) return translateState(error, address);
  if (!(error instanceof Error) || error instanceof TypeError) return error;
  const code = "code" in error ? String(error.code) : "";
  return unusable(address, REACHING[code] ?? "the connection was lost", error);
}

/** A collision keeps nothing of the transaction, and the same transaction may succeed when it is tried again. */
export function isCollision(error: unknown): boolean {
  if (!(error instanceof AppError) || !(error.cause instanceof pg.DatabaseError)) return false;
  return error.cause.code === SERIALIZATION_FAILURE || error.cause.code === DEADLOCK;
}

/** After any other error the state of the connection is unknown. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === "ERROR";
}

function translateState(error: pg.DatabaseError, address: string): unknown {
  const state = error.code ?? "";
  const refusal = REFUSALS.find(({ states }) => states.test(state));
  if (refusal !== undefined) {
    return new AppError("store-conflict", refusal.message, { cause: error });
  }
  const reason = REASONS.find(({ states }) => states.test(state));
  if (reason === undefined) return error;
  return unusable(address, reason.message, error, reason.retryable);
}

function unusable(
  address: string,
  reason: string,
  ...[cause, retryable = true]: readonly [unknown, boolean?]
): AppError {
  const message = `cannot use the store at ${address}: ${reason}`;
  return new AppError("store-unusable", message, { cause, retryable });
}

const REACHING: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server answers there",
  ENOENT: "no server answers there",
  ENOTFOUND: "its host is unknown",
  EAI_AGAIN: "its host cannot be looked up",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its host cannot be reached",
  ETIMEDOUT: "its host does not answer",
};

const REFUSALS = [
  { states: /^23/, message: "the store's rules do not allow this row" },
  {
    states: /^(22021|22P05)$/,
    message: "the text has a character that the store cannot keep",
  },
] as const;

const REASONS = [
  { states: /^28/, message: "the user or the password is not accepted", retryable: false },
  { states: /^3D000$/, message: "there is no such database", retryable: false },
  { states: /^42501$/, message: "the user lacks the rights to its tables", retryable: false },
  { states: /^25006$/, message: "it is read-only", retryable: true },
  { states: /^53100$/, message: "its disk is full", retryable: true },
  { states: /^53300$/, message: "it has too many connections", retryable: true },
  { states: /^53/, message: "it is short of resources", retryable: true },
  { states: /^57P0/, message: "it is starting or stopping", retryable: true },
  { states: /^(57014|55P03|25P03)$/, message: "it took too long", retryable: true },
  { states: /^(40001|40P01)$/, message: "others wrote at the same time", retryable: true },
  { states: /^40/, message: "it undid the transaction", retryable: true },
  { states: /^08/, message: "the connection was lost", retryable: true },
  { states: /^(58|XX00[12])/, message: "its disk reports an error", retryable: false },
] as const;
