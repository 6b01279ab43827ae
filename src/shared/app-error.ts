export type ErrorCode =
  | "store-conflict"
  | "store-fenced"
  | "store-locked"
  | "store-unusable"
  /** What is in it cannot be relied on. */
  | "store-damaged"
  | "github-unavailable"
  | "github-refused"
  | "github-rate-limited"
  | "board-unreadable"
  | "config-invalid"
  | "git-failed"
  | "process-failed"
  | "port-taken"
  | "server-silent"
  | "server-refused";

/** The world failed us; thrown by adapters, caught once per tick and once per run. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** How long the other side asked to be left alone. */
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
