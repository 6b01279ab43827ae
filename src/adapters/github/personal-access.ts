import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import { ownerOf } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { classify, httpFailureOf } from "./classify.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import type { PersonalTokens } from "./personal-tokens.ts";
import { createRemoteClient } from "./remote-client.ts";
import type { RemoteClient } from "./remote-client.ts";

export interface PersonalQuestion {
  readonly repo: RepoName;
  readonly board: RepoConfig["board"];
  readonly attempted: string;
}

/** GitHub as the owner of a project sees it, by a token of theirs. */
export interface PersonalAccess {
  /** Runs one question; whatever goes wrong comes out classified. */
  call<T>(asked: PersonalQuestion, work: (query: RemoteClient["query"]) => Promise<T>): Promise<T>;
  /** The project's items, if they are not those that `etag` names. */
  items(
    asked: PersonalQuestion,
    headers: Readonly<Record<string, string>>,
  ): Promise<{
    readonly headers: { readonly etag?: string | undefined; readonly link?: string | undefined };
  }>;
}

/** Whose project the board is. */
export function projectOwner(repo: RepoName, board: RepoConfig["board"]): string {
  return board.owner ?? ownerOf(repo);
}

export function createPersonalAccess(apiUrl: string, tokens: PersonalTokens): PersonalAccess {
  const clientFor = async ({ repo, board }: PersonalQuestion): Promise<RemoteClient> =>
    createRemoteClient({ apiUrl, token: await tokens(projectOwner(repo, board), repo) });
  return {
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
        ...{ username: projectOwner(repo, board), project_number: board.project },
        ...{ per_page: 100, headers },
      });
    },
  };
}

/** What a person has to put right is said on the board's notices; everything else is tried again. */
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
