import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import { ownerOf } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection, Octokit } from "./connection.ts";

import { projectOwner } from "./personal-access.ts";
import type { PersonalAccess } from "./personal-access.ts";

type Headers = Readonly<Record<string, string>>;
type Asked = (client: Octokit, headers: Headers) => Promise<{ readonly headers: Answered }>;
type Answered = { readonly etag?: string | undefined; readonly link?: string | undefined };

/** What a list of more than one page answers: its other pages are not looked at, so it always counts as changed. */
const UNKNOWN = "";

/**
 * Whether anything is new since it was last asked, by requests that GitHub does not count while nothing is. The newest
 * issue or pull request tells of edits, labels and reviews, the project's items tell of moves.
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
      // Both are asked, so that each knows of the newest.
      return (await same(repo, key, (_, headers) => personal.items(asked, headers))) && issues;
    }
    const { project } = board;
    const items = await same(repo, `items ${ownerOf(repo)}/${project}`, (client, headers) =>
      client.request("GET /orgs/{org}/projectsV2/{project_number}/items", {
        ...{ org: ownerOf(repo), project_number: project, per_page: 100, headers },
      }),
    );
    return issues && items;
  };
}

const NEWEST = { state: "all", sort: "updated", direction: "desc", per_page: 1 } as const;

/** The answer's version; undefined when it is the one that we have. A refusal says nothing: then there may be news. */
async function unlessUnchanged(
  ask: () => Promise<{ readonly headers: Answered }>,
): Promise<string | undefined> {
  try {
    return versionOf((await ask()).headers);
  } catch (error) {
    const status = httpFailureOf(error)?.status ?? 0;
    if (status === 304) return undefined;
    if (REFUSALS.includes(status)) return UNKNOWN;
    // No token: reading the board says why.
    if (error instanceof AppError && error.code === "board-unreadable") return UNKNOWN;
    throw error;
  }
}

const REFUSALS: readonly number[] = [401, 403, 404];

function versionOf({ etag, link = "" }: Answered): string {
  const hasMore = link.includes('rel="next"') && link.includes("projectsV2");
  return hasMore ? UNKNOWN : (etag ?? UNKNOWN);
}
