import { AppError } from "../../shared/app-error.ts";
import type { ErrorCode } from "../../shared/app-error.ts";
import { askedPause } from "./asked-pause.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import type { GraphqlError } from "./graphql-errors.ts";

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

/** Turns what octokit throws into an AppError. The only place that looks at HTTP statuses. */
export function classify(error: unknown, attempted: string): AppError {
  if (error instanceof AppError) return error;
  const { code, what } = verdictOf(error);
  const retryable = code !== "github-refused";
  const headers = httpFailureOf(error)?.headers ?? headersOf(error);
  const retryAfterMs = code === "github-rate-limited" ? askedPause(headers, true)?.ms : undefined;
  const message = `cannot ${attempted}: ${what}`;
  return new AppError(code, message, { cause: error, retryable, retryAfterMs });
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

/** GraphQL says what went wrong in an answer with status 200. Errors of its own making carry no type. */
function verdictOfGraphql(errors: readonly GraphqlError[]): Verdict {
  if (errors.some(({ type }) => type === "RATE_LIMITED" || type === "RATE_LIMIT")) return EXHAUSTED;
  const [type] = errors.flatMap((error) => error.type ?? []);
  return type === undefined
    ? { code: "github-unavailable", what: "GitHub failed to answer the query" }
    : { code: "github-refused", what: `GitHub answered ${type}` };
}

/** Undefined when no answer came: octokit calls that a 500, too. */
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

/** An error in an answer of GraphQL. */
function headersOf(error: unknown): HttpFailure["headers"] {
  const known = error instanceof Error && "headers" in error && error.headers !== null;
  return known && typeof error.headers === "object"
    ? (error.headers as HttpFailure["headers"])
    : {};
}

export function isRateLimited({ status, headers, message }: HttpFailure): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    // A secondary limit may come without any header; only these words tell it from a refusal.
    /\bsecondary rate limit\b/i.test(message)
  );
}
