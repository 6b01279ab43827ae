import { AppError } from "../../shared/app-error.ts";

/** Says in our words what the engine reports by code; anything without a code of the engine's stays as it is. */
export function translateEngineError(error: unknown): unknown {
  const code = engineCode(error);
  if (code === undefined) return error;
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    return new AppError("store-conflict", "the store's rules do not allow this row", {
      cause: error,
    });
  }
  const unusable = UNUSABLE.find(({ codes }) => codes.test(code));
  if (unusable === undefined) return error;
  return new AppError(unusable.code, unusable.message, {
    cause: error,
    retryable: unusable.retryable,
  });
}

const UNUSABLE = [
  {
    codes: /^SQLITE_FULL$/,
    code: "store-unusable",
    message: "cannot write the store: the disk is full",
    retryable: true,
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    code: "store-unusable",
    message: "cannot write the store: another program holds its file",
    retryable: true,
  },
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    code: "store-damaged",
    message: "cannot read the store: its file is damaged or not a database",
    retryable: false,
  },
  {
    codes: /^SQLITE_(READONLY|CANTOPEN|PERM)/,
    code: "store-unusable",
    message: "cannot write the store: its file or folder is read-only",
    retryable: false,
  },
  {
    codes: /^SQLITE_IOERR/,
    code: "store-unusable",
    message: "cannot use the store: the disk reports an error",
    retryable: false,
  },
] as const;

function engineCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.startsWith("SQLITE_")
    ? error.code
    : undefined;
}
