import { readFile } from "node:fs/promises";
import type { PersonalProjects } from "../../../config/schema/personal-projects-schema.ts";
import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { classify, graphqlErrorsOf, httpFailureOf } from "./github-failure.ts";
import { createRemoteClient } from "./remote-client.ts";
import type { RemoteClient } from "./remote-client.ts";

export interface PersonalQuestion {
  readonly repo: RepoName;
  readonly board: RepoConfig["board"];
  readonly attempted: string;
}

/** Asks GitHub as the owner of a project, with a token of that person. */
export interface PersonalAccess {
  /** Runs one question. Every failure is thrown as an `AppError`. */
  call<T>(asked: PersonalQuestion, work: (query: RemoteClient["query"]) => Promise<T>): Promise<T>;
  /** Throws if the operator has not opened the project to the repository. */
  admit(asked: PersonalQuestion): Promise<void>;
  /** Lists the project's items. With an etag in the headers it fails with status 304 if they are unchanged. */
  items(
    asked: PersonalQuestion,
    headers: Readonly<Record<string, string>>,
  ): Promise<{
    readonly headers: { readonly etag?: string | undefined; readonly link?: string | undefined };
  }>;
}

/** Finds the token that opens a person's projects to a repository. It throws `board-unreadable` where the operator gave none. */
export type PersonalTokens = (login: string, repo: RepoName) => Promise<string>;

export function createPersonalAccess(apiUrl: string, tokens: PersonalTokens): PersonalAccess {
  const clientFor = async ({ repo, board }: PersonalQuestion): Promise<RemoteClient> =>
    createRemoteClient({ apiUrl, token: await tokens(projectOwner(repo, board), repo) });
  return {
    async admit({ repo, board }) {
      await tokens(projectOwner(repo, board), repo);
    },
    async call(asked, work) {
      const { query } = await clientFor(asked);
      try {
        return await work(query);
      } catch (error) {
        throw inWords(error, asked);
      }
    },
    async items(asked, headers) {
      const { repo, board } = asked;
      const client = await clientFor(asked);
      return client.rest.projects.listItemsForUser({
        username: projectOwner(repo, board),
        project_number: board.project,
        per_page: 100,
        headers,
      });
    },
  };
}

export function createPersonalTokens(
  people: PersonalProjects,
  environment: Readonly<Record<string, string | undefined>>,
): PersonalTokens {
  const byLogin = new Map(
    Object.entries(people).map(([login, access]) => [login.toLowerCase(), access]),
  );
  return async (login, repo) => {
    const access = byLogin.get(login.toLowerCase());
    if (access === undefined) {
      throw unreadable(
        login,
        `no app can see a person's projects; the operator has to name ${login} in personalProjects`,
      );
    }
    if (!mayUse(access, login, repo)) {
      throw unreadable(
        login,
        `the operator has to list ${repo} in personalProjects.${login}.repositories`,
      );
    }
    const token = await tokenOf(access, environment);
    if (token === "") throw unreadable(login, `${placeOf(access)} holds no token`);
    return token;
  };
}

/** Returns the login that owns the board's project. */
export function projectOwner(repo: RepoName, board: RepoConfig["board"]): string {
  return board.owner ?? ownerOf(repo);
}

/** A failure that a person has to put right becomes a notice of the board. Every other failure is tried again. */
function inWords(error: unknown, { repo, board, attempted }: PersonalQuestion): AppError {
  const reason = REASONS[httpFailureOf(error)?.status ?? firstType(error)];
  const classified = classify(error, attempted);
  if (classified.code !== "github-refused" || reason === undefined) return classified;
  const owner = projectOwner(repo, board);
  const message = `project ${board.project} of ${owner} cannot be used: the token of ${owner} ${reason}`;
  return new AppError("board-unreadable", message, { cause: error });
}

function firstType(error: unknown): string {
  return graphqlErrorsOf(error)?.[0]?.type ?? "";
}

const REASONS: Readonly<Record<string | number, string>> = {
  401: "is not accepted by GitHub: it is wrong, expired or revoked",
  403: "is refused by GitHub: an organization may not allow classic tokens",
  INSUFFICIENT_SCOPES:
    "lacks the scope project: it must be a classic token with project, not read:project",
};

type Access = PersonalProjects[string];

/** Without this check any repository could move the cards of a person who does not know of it. */
function mayUse({ repositories }: Access, login: string, repo: RepoName): boolean {
  const wanted = repo.toLowerCase();
  return (
    ownerOf(repo).toLowerCase() === login.toLowerCase() ||
    repositories.some((one) => one.toLowerCase() === wanted)
  );
}

async function tokenOf(
  { tokenVariable, tokenFile }: Access,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (tokenVariable !== undefined) return environment[tokenVariable]?.trim() ?? "";
  // A file that cannot be read counts as empty. The message to the operator names the file.
  const text = await readFile(tokenFile ?? "", "utf8").catch(() => "");
  return text.trim();
}

function placeOf({ tokenVariable, tokenFile }: Access): string {
  return tokenVariable === undefined
    ? `the file ${tokenFile ?? ""}`
    : `the variable ${tokenVariable}`;
}

function unreadable(login: string, reason: string): AppError {
  return new AppError("board-unreadable", `the projects of ${login} cannot be read: ${reason}`);
}
