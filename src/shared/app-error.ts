export type ErrorCode =
  | "store-conflict"
  | "store-fenced"
  | "store-locked"
  | "store-unusable"
  /** Nobody can rely on its contents. */
  | "store-damaged"
  | "github-unavailable"
  | "github-refused"
  | "github-rate-limited"
  /** The repository is called otherwise now, or another one has its name. */
  | "repo-moved"
  | "board-unreadable"
  | "config-invalid"
  | "git-failed"
  /** GitHub wants a permission of its own for workflow files: trying again is of no use. */
  | "workflows-refused"
  | "process-failed"
  | "port-taken"
  | "server-silent"
  | "server-refused";

/** The world failed us; thrown by adapters, caught once per tick and once per run. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** The other side asked to be left alone for so long. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly retryable?: boolean;
      readonly retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Returns an error's message and that of its cause, on one line. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.trim().split("\n", 1)[0] ?? "";
}
