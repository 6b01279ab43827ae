import type { Answer, Refusal } from "../../../ports/inspection.ts";
import { AppError } from "../../../shared/app-error.ts";
import { fail, ok } from "../../../shared/result.ts";
import { httpFailureOf, isRateLimited, graphqlErrorsOf } from "../connection/github-failure.ts";

/** GitHub itself gives up on a request sooner than this. */
const TIMEOUT_MS = 20_000;

/** Returns the answer to one question, or why there is none. It stops waiting for a GitHub that stays silent. */
export async function answerOf<T>(ask: () => Promise<T>): Promise<Answer<T>> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Answer<T>>((resolve) => {
    const words = `no answer within ${TIMEOUT_MS / 1000} s`;
    timer = setTimeout(
      () => resolve(fail({ kind: "silent", status: undefined, words })),
      TIMEOUT_MS,
    );
  });
  const answer = Promise.resolve()
    .then(ask)
    .then(ok, (error: unknown) => fail(refusalOf(error)));
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}

function refusalOf(thrown: unknown): Refusal {
  const error = thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown;
  return httpRefusal(error) ?? graphqlRefusal(error) ?? otherRefusal(error);
}

function httpRefusal(error: unknown): Refusal | undefined {
  const failure = httpFailureOf(error);
  if (failure === undefined) return undefined;
  const kind = isRateLimited(failure) ? "limited" : "refused";
  return { kind, status: failure.status, words: wordsOf(failure.message) };
}

function graphqlRefusal(error: unknown): Refusal | undefined {
  const [first] = graphqlErrorsOf(error) ?? [];
  if (first === undefined) return undefined;
  const kind = first.type === "RATE_LIMITED" ? "limited" : "refused";
  return { kind, status: undefined, words: first.message };
}

function otherRefusal(error: unknown): Refusal {
  const kind = error instanceof AppError && !error.retryable ? "refused" : "silent";
  return { kind, status: undefined, words: causeOf(error) ?? "no answer" };
}

/** Octokit appends the address of the documentation to GitHub's message; this cuts it off. */
function wordsOf(message: string): string {
  return message.split(" - https://")[0] ?? message;
}

/** The system's error code is at the end of a chain of causes. */
function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return causeOf(error.cause) ?? error.message;
}
