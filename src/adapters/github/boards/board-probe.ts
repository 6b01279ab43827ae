import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { projectOwner } from "../connection/personal-access.ts";
import type { PersonalAccess } from "../connection/personal-access.ts";

type Headers = Readonly<Record<string, string>>;
type Asked = (client: Octokit, headers: Headers) => Promise<{ readonly headers: Answered }>;
type Answered = { readonly etag?: string | undefined; readonly link?: string | undefined };

/** This version stands for "may have changed". A list of several pages always has it, because only its first page is looked at. */
const UNKNOWN = "";

/**
 * The probe says whether a repository is unchanged since it last asked. Its requests cost nothing while nothing changed, because
 * GitHub does not count a 304. The newest issue or pull request tells of edits, labels and reviews; the project's items tell of moves.
 */
export function createBoardProbe(
  connection: Connection,
  personal: PersonalAccess,
): (repo: RepoName, config: RepoConfig) => Promise<boolean> {
  const seen = new Map<string, string>();

  async function same(repo: RepoName, key: string, ask: Asked): Promise<boolean> {
    const before = seen.get(key);
    const headers: Headers = before ? { "if-none-match": before } : {};
    const now = await connection.call(repo, "look for changes", (client) =>
      unlessUnchanged(() => ask(client, headers)),
    );
    if (now === undefined) return true;
    seen.set(key, now);
    return false;
  }

  return async (repo, config) => {
    const issues = await same(repo, `issues ${repo}`, (client, headers) =>
      client.rest.issues.listForRepo({ ...ownerAndRepo(repo), ...NEWEST, headers }),
    );
    if (config.board.kind === "labels") return issues;
    const { board } = config;
    if (board.kind === "user-project") {
      const key = `items ${projectOwner(repo, board)}/${board.project}`;
      const asked = { repo, board, attempted: "look for changes" };
      // Both are asked even if the first has changed, so that the version of each is remembered.
      return (await same(repo, key, (_, headers) => personal.items(asked, headers))) && issues;
    }
    const { project } = board;
    const items = await same(repo, `items ${ownerOf(repo)}/${project}`, (client, headers) =>
      client.request("GET /orgs/{org}/projectsV2/{project_number}/items", {
        org: ownerOf(repo),
        project_number: project,
        per_page: 100,
        headers,
      }),
    );
    return issues && items;
  };
}

const NEWEST = { state: "all", sort: "updated", direction: "desc", per_page: 1 } as const;

/** Returns the version of the answer, or undefined when it is the one that we have. A refusal counts as "may have changed". */
async function unlessUnchanged(
  ask: () => Promise<{ readonly headers: Answered }>,
): Promise<string | undefined> {
  try {
    return versionOf((await ask()).headers);
  } catch (error) {
    const status = httpFailureOf(error)?.status ?? 0;
    if (status === 304) return undefined;
    if (REFUSALS.includes(status)) return UNKNOWN;
    // Without a token nothing can be said here. Reading the board will give the reason.
    if (error instanceof AppError && error.code === "board-unreadable") return UNKNOWN;
    throw error;
  }
}

const REFUSALS: readonly number[] = [401, 403, 404];

function versionOf({ etag, link = "" }: Answered): string {
  const hasMore = link.includes('rel="next"') && link.includes("projectsV2");
  return hasMore ? UNKNOWN : (etag ?? UNKNOWN);
}
