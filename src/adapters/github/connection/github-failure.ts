import { AppError } from "../../../shared/app-error.ts";
import type { ErrorCode } from "../../../shared/app-error.ts";

export interface GraphqlError {
  /** It is GitHub's word for the kind of error, e.g. `FORBIDDEN`. A query that GitHub does not understand has a code instead. */
  readonly type: string | undefined;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type AnswerHeaders = Readonly<Record<string, string | number | undefined>>;

export interface AskedPause {
  readonly ms: number;
  /** A budget that is used up belongs to one API. Any other limit is meant for the whole installation. */
  readonly of: "all" | "this-api";
}

interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface Verdict {
  readonly code: ErrorCode;
  readonly what: string;
}

const SILENT: Verdict = { code: "github-unavailable", what: "GitHub did not answer" };

const EXHAUSTED: Verdict = { code: "github-rate-limited", what: "the API budget is used up" };

const FAILED: Verdict = { code: "github-unavailable", what: "GitHub failed to answer the query" };

/** These errors say that GitHub could not do it now. The same request may succeed later. */
const PASSING: readonly string[] = ["RESOURCE_LIMITS_EXCEEDED", "SERVICE_UNAVAILABLE", "INTERNAL"];

/** GitHub advises this pause for a limit that names no time. */
const UNNAMED_PAUSE_MS = 60_000;

/** Turns what octokit throws into an AppError. */
export function classify(error: unknown, attempted: string): AppError {
  if (error instanceof AppError) return error;
  const { code, what } = verdictOf(error);
  const retryable = code !== "github-refused";
  const headers = httpFailureOf(error)?.headers ?? headersOf(error);
  const retryAfterMs = code === "github-rate-limited" ? askedPause(headers, true)?.ms : undefined;
  const message = `cannot ${attempted}: ${what}`;
  return new AppError(code, message, { cause: error, retryable, retryAfterMs });
}

/** Returns undefined when no answer came, because octokit gives that error the status 500, too. */
export function httpFailureOf(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") {
    return undefined;
  }
  const response = "response" in error ? error.response : undefined;
  if (typeof response !== "object" || response === null || !("headers" in response)) {
    return undefined;
  }
  const headers = response.headers as HttpFailure["headers"];
  return { status: error.status, message: error.message, headers };
}

export function isRateLimited({ status, headers, message }: HttpFailure): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    // A secondary limit may come without any header. Only these words tell it from a refusal.
    /\bsecondary rate limit\b/i.test(message)
  );
}

/** Returns the errors in a GraphQL answer, or undefined for any other error. */
export function graphqlErrorsOf(error: unknown): readonly GraphqlError[] | undefined {
  if (!(error instanceof Error) || error.name !== "GraphqlResponseError") return undefined;
  const errors: unknown = "errors" in error ? error.errors : undefined;
  return Array.isArray(errors) ? errors.map(errorFrom) : [];
}

/** Says how long an answer asks us to pause. It uses the answer's own date, so that our clock need not be right. */
export function askedPause(headers: AnswerHeaders, limited: boolean): AskedPause | undefined {
  const seconds = Number(headers["retry-after"]);
  if (seconds > 0) return { ms: seconds * 1000, of: "all" };
  const untilResetMs =
    Number(headers["x-ratelimit-reset"]) * 1000 - Date.parse(String(headers["date"]));
  const usedUp = String(headers["x-ratelimit-remaining"]) === "0";
  if (usedUp && untilResetMs > 0) return { ms: untilResetMs, of: "this-api" };
  return limited ? { ms: UNNAMED_PAUSE_MS, of: "all" } : undefined;
}

function verdictOf(error: unknown): Verdict {
  const errors = graphqlErrorsOf(error);
  if (errors !== undefined) return verdictOfGraphql(errors);
  const failure = httpFailureOf(error);
  if (failure === undefined) return SILENT;
  if (isRateLimited(failure)) return EXHAUSTED;
  const code = failure.status >= 500 ? "github-unavailable" : "github-refused";
  return { code, what: `GitHub answered ${failure.status}` };
}

/** GraphQL reports errors in an answer with status 200. GitHub's own internal failures carry no type. */
function verdictOfGraphql(errors: readonly GraphqlError[]): Verdict {
  if (errors.some(({ type }) => type === "RATE_LIMITED" || type === "RATE_LIMIT")) return EXHAUSTED;
  const types = errors.flatMap((error) => error.type ?? []);
  const [type] = types;
  if (type === undefined) return FAILED;
  const passing = types.find((one) => PASSING.includes(one));
  return passing === undefined
    ? { code: "github-refused", what: `GitHub answered ${type}` }
    : { code: "github-unavailable", what: `GitHub answered ${passing}` };
}

/** An error of a GraphQL answer carries the headers itself. */
function headersOf(error: unknown): HttpFailure["headers"] {
  const known = error instanceof Error && "headers" in error && error.headers !== null;
  return known && typeof error.headers === "object"
    ? (error.headers as HttpFailure["headers"])
    : {};
}

function errorFrom(raw: unknown): GraphqlError {
  const { type, path, message, extensions } = (raw ?? {}) as {
    readonly type?: unknown;
    readonly path?: unknown;
    readonly message?: unknown;
    readonly extensions?: { readonly code?: unknown } | null;
  };
  const word = type ?? extensions?.code;
  return {
    type: typeof word === "string" ? word : undefined,
    path: Array.isArray(path) ? (path as GraphqlError["path"]) : [],
    message: typeof message === "string" ? message : "no reason given",
  };
}
