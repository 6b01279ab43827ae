import { AppError } from "../../shared/app-error.ts";
import type { ErrorCode } from "../../shared/app-error.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import type { GraphqlError } from "./graphql-errors.ts";

export interface HttpFailure {
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
  return new AppError(code, `cannot ${attempted}: ${what}`, { cause: error, retryable });
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

/** GraphQL says what went wrong in an answer of status 200; these are the statuses that REST would have used. */
const GRAPHQL_STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
};

export function graphqlFailureOf(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error) || error.name !== "GraphqlResponseError") return undefined;
  const { headers } = error as { readonly headers?: HttpFailure["headers"] };
  const type = graphqlErrorsOf(error)?.[0]?.type ?? "";
  return { status: GRAPHQL_STATUSES[type] ?? 400, message: error.message, headers: headers ?? {} };
}

export function isRateLimited(failure: HttpFailure): boolean {
  if (failure.status === 429) return true;
  if (failure.status !== 403) return false;
  return (
    failure.headers["retry-after"] !== undefined || failure.headers["x-ratelimit-remaining"] === "0"
  );
}
