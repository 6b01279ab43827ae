import { withCustomRequest } from "@octokit/graphql";
import type { graphql } from "@octokit/graphql";
import { Octokit } from "@octokit/rest";
import { AppError } from "../../shared/app-error.ts";
import { formatTimeOfDay } from "../../shared/format-time.ts";
import { classify, httpFailureOf } from "./classify.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { wantAnswers } from "./want-answers.ts";

/** A person's or an app's token; without one only public repositories without a project can be read. */
export interface RemoteAccess {
  readonly apiUrl: string;
  readonly token: string | undefined;
}

/** GitHub as a person at the command line reaches it: no app, no installation, nothing is written. */
export interface RemoteClient {
  readonly rest: Octokit["rest"];
  readonly paginate: Octokit["paginate"];
  readonly query: typeof graphql;
  /** Whatever goes wrong comes out as a sentence for that person. */
  attempt<T>(attempted: string, work: () => Promise<T>): Promise<T>;
  /** As `attempt`; what is not there is undefined. */
  find<T>(attempted: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** A missing file is no news: Octokit would print a line for it. */
const ignore = (): undefined => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export function createRemoteClient({ apiUrl, token }: RemoteAccess): RemoteClient {
  const octokit = new Octokit({
    baseUrl: apiUrl,
    log: SILENT,
    ...(token !== undefined && { auth: token }),
  });
  wantAnswers(octokit);
  const attempt: RemoteClient["attempt"] = async (attempted, work) => {
    try {
      return await work();
    } catch (error) {
      throw inWords(error, attempted, apiUrl);
    }
  };
  return {
    rest: octokit.rest,
    paginate: octokit.paginate,
    query: withCustomRequest(octokit.request),
    attempt,
    find: (attempted, work) => attempt(attempted, () => undefinedIfAbsent(work)),
  };
}

async function undefinedIfAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const status = httpFailureOf(error)?.status;
    // 410: the issue was deleted, or issues are switched off.
    if (status === 404 || status === 410) return undefined;
    throw error;
  }
}

function inWords(error: unknown, attempted: string, apiUrl: string): AppError {
  const classified = classify(error, attempted);
  const reason = error instanceof AppError ? undefined : reasonOf(error, classified.code, apiUrl);
  if (reason === undefined) return classified;
  const { code, retryable } = classified;
  return new AppError(code, `cannot ${attempted}: ${reason}`, { cause: error, retryable });
}

/** Undefined when there is nothing better to say than which status came. */
function reasonOf(error: unknown, code: AppError["code"], apiUrl: string): string | undefined {
  const failure = httpFailureOf(error);
  if (code === "github-rate-limited") {
    return `the token's API budget is used up${untilWhen(failure?.headers ?? {})}`;
  }
  if (failure !== undefined) return REFUSALS[failure.status];
  const errors = graphqlErrorsOf(error);
  if (errors === undefined) return `${apiUrl} did not answer${causeOf(error)}`;
  return REFUSALS[errors[0]?.type ?? ""];
}

const REFUSALS: Readonly<Record<number | string, string>> = {
  401: "GitHub does not accept the token (401): it is wrong, expired or revoked",
  403: "the token may not read this (403)",
  INSUFFICIENT_SCOPES: "the token lacks a scope: projects need read:project",
};

function untilWhen(headers: Readonly<Record<string, string | undefined>>): string {
  const wait = headers["retry-after"];
  if (wait !== undefined) return `: try again in ${wait} s`;
  const reset = Number(headers["x-ratelimit-reset"]);
  if (!Number.isFinite(reset)) return "";
  return ` until ${formatTimeOfDay(reset * 1000)}`;
}

/** The system's word for it is at the end of a chain of causes. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return ` (${error.code})`;
  return causeOf(error.cause);
}
