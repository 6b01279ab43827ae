import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import type { RepoBoard } from "./project-board.ts";

const NEWEST = { state: "all", sort: "updated", direction: "desc", per_page: 1 } as const;

const REFUSALS: readonly number[] = [401, 403, 404];

/**
 * The probe says whether a repository is unchanged since it last asked. The newest issue or pull request tells of edits, labels and
 * reviews, and costs nothing while nothing changed, because GitHub does not count a 304. The board tells of moves.
 */
export function createBoardProbe(
  connection: Connection,
  boardOf: (config: RepoConfig) => RepoBoard,
): (repo: RepoName, config: RepoConfig, since?: number) => Promise<boolean> {
  const seen = new Map<RepoName, string>();

  async function sameIssues(repo: RepoName): Promise<boolean> {
    const before = seen.get(repo);
    const headers = before === undefined ? {} : { "if-none-match": before };
    return connection.call(repo, "look for changes", async ({ rest }) => {
      try {
        const asked = { ...ownerAndRepo(repo), ...NEWEST, headers };
        const { etag } = (await rest.issues.listForRepo(asked)).headers;
        if (etag !== undefined) seen.set(repo, etag);
        return false;
      } catch (error) {
        const status = httpFailureOf(error)?.status ?? 0;
        // A refusal counts as "may have changed". Reading the repository will give the reason.
        if (status === 304 || REFUSALS.includes(status)) return status === 304;
        throw error;
      }
    });
  }

  return async (repo, config, since) => {
    // Both are asked even if the first has changed, so that the version of each is remembered.
    const issues = await sameIssues(repo);
    return (await boardOf(config).isUnchanged(repo, config, since)) && issues;
  };
}
