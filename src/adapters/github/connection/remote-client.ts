import { withCustomRequest } from "@octokit/graphql";
import type { graphql } from "@octokit/graphql";
import { Octokit } from "@octokit/rest";
import { AppError } from "../../../shared/app-error.ts";
import { formatTimeOfDay } from "../../../shared/format.ts";
import { withApiVersion } from "./api-version.ts";
import { classify, httpFailureOf, graphqlErrorsOf } from "./github-failure.ts";
import { withTimeout } from "./request-timeout.ts";

/** The token is a person's or an app's. Without one only public repositories without a project can be read. */
export interface RemoteAccess {
  readonly apiUrl: string;
  readonly token: string | undefined;
}

/** Reaches GitHub for a person at the command line, without an app or an installation. */
export interface RemoteClient {
  readonly rest: Octokit["rest"];
  readonly paginate: Octokit["paginate"];
  readonly query: typeof graphql;
  /** Runs the work. Every failure is thrown with a sentence for that person. */
  attempt<T>(attempted: string, work: () => Promise<T>): Promise<T>;
  /** Does the same as `attempt`, but returns undefined for a thing that does not exist. */
  find<T>(attempted: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** Octokit would print a line for every missing file, which is no news. */
const ignore = (): undefined => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export function createRemoteClient({ apiUrl, token }: RemoteAccess): RemoteClient {
  const octokit = new Octokit({
    baseUrl: apiUrl,
    log: SILENT,
    ...(token !== undefined && { auth: token }),
  });
  withTimeout(octokit);
  withApiVersion(octokit);
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
    // Status 410 means that the issue was deleted or that issues are switched off.
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

/** Returns undefined when there is nothing better to say than the status. */
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

/** The system's error code is at the end of a chain of causes. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return ` (${error.code})`;
  return causeOf(error.cause);
}
