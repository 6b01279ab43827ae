import nock from "nock";
import type { ReplyHeaders } from "nock";
import { createConnection } from "../../../src/adapters/github/connection/connection.ts";
import type {
  Authentication,
  Connection,
} from "../../../src/adapters/github/connection/connection.ts";
import { octokitFor } from "../../../src/adapters/github/connection/probot.ts";
import { createGitHub } from "../../../src/adapters/github/create-github.ts";
import type { GitHub } from "../../../src/ports/github.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { NOW, REPO } from "../../support/builders.ts";

export const API = "https://api.github.test";

export interface Answer {
  readonly status: number;
  readonly headers?: ReplyHeaders;
  readonly message?: string;
}

/** Every error answer that GitHub documents, and what it has to mean. */
export const ERROR_ANSWERS: readonly (Answer & {
  readonly code: string;
  readonly retryable: boolean;
})[] = [
  { status: 401, code: "github-refused", retryable: false },
  { status: 403, code: "github-refused", retryable: false },
  {
    status: 403,
    headers: { "x-ratelimit-remaining": "4999" },
    code: "github-refused",
    retryable: false,
  },
  {
    status: 403,
    headers: { "x-ratelimit-remaining": "0" },
    code: "github-rate-limited",
    retryable: true,
  },
  { status: 403, headers: { "retry-after": "60" }, code: "github-rate-limited", retryable: true },
  {
    status: 403,
    headers: { "x-ratelimit-remaining": "4999" },
    message: "You have exceeded a secondary rate limit. Please wait a few minutes.",
    code: "github-rate-limited",
    retryable: true,
  },
  { status: 404, code: "github-refused", retryable: false },
  { status: 405, code: "github-refused", retryable: false },
  { status: 409, code: "github-refused", retryable: false },
  { status: 410, code: "github-refused", retryable: false },
  { status: 422, code: "github-refused", retryable: false },
  { status: 429, code: "github-rate-limited", retryable: true },
  { status: 500, code: "github-unavailable", retryable: true },
  { status: 502, code: "github-unavailable", retryable: true },
  { status: 503, code: "github-unavailable", retryable: true },
  { status: 504, code: "github-unavailable", retryable: true },
];

export interface NockedGitHub {
  readonly github: GitHub;
  readonly connection: Connection;
  readonly auth: Authentication;
  readonly api: nock.Scope;
}

/** The adapter on a network where only `api` answers; REPO is installed. */
export function nockedGitHub(): NockedGitHub {
  nock.disableNetConnect();
  const Octokit = octokitFor();
  const octokit = () =>
    Promise.resolve(new Octokit({ baseUrl: API, auth: { token: "t" }, log: SILENT }));
  const auth: Authentication = { asApp: octokit, asInstallation: octokit };
  const connection = createConnection(auth);
  const api = nock(API, { reqheaders: { "x-github-api-version": "2022-11-28" } });
  return { github: createGitHub(connection, () => NOW), connection, auth, api };
}

/** What a project without any card answers to a reading. */
export const EMPTY_PROJECT = {
  data: {
    account: {
      projectV2: {
        id: "PVT",
        closed: false,
        fields: { nodes: [{ id: "F", name: "Status", dataType: "SINGLE_SELECT", options: [] }] },
        items: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] },
      },
    },
    repository: { pullRequests: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
  },
};

const SILENT = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
};

/** What the adapter asks before its first call for a repository. */
export function installed(api: nock.Scope, permissions: object = {}): nock.Scope {
  return api
    .get("/app/installations")
    .query({ per_page: 100 })
    .reply(200, [{ id: 5, suspended_at: null, permissions }])
    .get("/installation/repositories")
    .query({ per_page: 100 })
    .reply(200, {
      total_count: 1,
      repositories: [
        {
          id: 12,
          full_name: REPO,
          default_branch: "main",
          private: true,
          owner: { type: "Organization" },
        },
      ],
    });
}

export function refusal({ status, message }: Answer): { readonly message: string } {
  return { message: message ?? `answer ${status}` };
}

/** The AppError that the call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the call went well");
}

/** Ends the pretence and fails when an answer was never asked for. */
export function leaveNetwork(): void {
  const unasked = nock.pendingMocks();
  nock.cleanAll();
  nock.enableNetConnect();
  if (unasked.length > 0) throw new Error(`never asked for: ${unasked.join(", ")}`);
}
