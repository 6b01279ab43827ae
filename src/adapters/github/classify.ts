import { AppError } from "../../shared/app-error.ts";

interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Turns what octokit throws into an AppError. The only place that looks at HTTP statuses. */
export function classify(error: unknown, attempted: string): AppError {
  if (error instanceof AppError) return error;
  const failure = httpFailureOf(error);
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

function isRateLimited(failure: HttpFailure): boolean {
  if (failure.status === 429) return true;
  if (failure.status !== 403) return false;
  return (
    failure.headers["retry-after"] !== undefined || failure.headers["x-ratelimit-remaining"] === "0"
  );
}
