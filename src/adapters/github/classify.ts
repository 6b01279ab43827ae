import { AppError } from "../../shared/app-error.ts";

export interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Turns what octokit throws into an AppError. The only place that looks at HTTP statuses. */
export function classify(error: unknown, attempted: string): AppError {
  if (error instanceof AppError) return error;
  const failure = httpFailureOf(error) ?? graphqlFailureOf(error);
  if (failure === undefined) {
    return new AppError("github-unavailable", `cannot ${attempted}: GitHub did not answer`, {
      cause: error,
      retryable: true,
    });
  }
  if (isRateLimited(failure)) {
    return new AppError("github-rate-limited", `cannot ${attempted}: the API budget is used up`, {
      cause: error,
      retryable: true,
    });
  }
  if (failure.status >= 500) {
    return new AppError(
      "github-unavailable",
      `cannot ${attempted}: GitHub answered ${failure.status}`,
      { cause: error, retryable: true },
    );
  }
  return new AppError("github-refused", `cannot ${attempted}: GitHub answered ${failure.status}`, {
    cause: error,
  });
}

export function httpFailureOf(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") {
    return undefined;
  }
  const response = "response" in error ? error.response : undefined;
  const headers =
    typeof response === "object" && response !== null && "headers" in response
      ? (response.headers as HttpFailure["headers"])
      : {};
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
  const { errors, headers } = error as Error & {
    readonly errors?: readonly { readonly type?: string; readonly message: string }[];
    readonly headers?: HttpFailure["headers"];
  };
  const [first] = errors ?? [];
  return {
    status: GRAPHQL_STATUSES[first?.type ?? ""] ?? 400,
    message: first?.message ?? error.message,
    headers: headers ?? {},
  };
}

export function isRateLimited(failure: HttpFailure): boolean {
  if (failure.status === 429) return true;
  if (failure.status !== 403) return false;
  return (
    failure.headers["retry-after"] !== undefined || failure.headers["x-ratelimit-remaining"] === "0"
  );
}
