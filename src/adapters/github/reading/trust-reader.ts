import { labelNames } from "../../../config/repository/label-names.ts";
import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName, TaskId } from "../../../domain/ids.ts";
import type { Provenance } from "../../../domain/provenance.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { projectOwner } from "../connection/personal-access.ts";
import type { PersonalAccess } from "../connection/personal-access.ts";
import { readIssues, readIssuesBy } from "./many-issues.ts";
import { parseProvenance } from "./parse-provenance.ts";
import { RECORD } from "./provenance-query.ts";
import type { RecordNode } from "./provenance-query.ts";

/** For this long an answer is reused, so that a board full of one person's cards asks about that person once. */
const PERMISSION_GOOD_FOR_MS = 5 * 60_000;

export interface TrustReader {
  provenance(
    repo: RepoName,
    config: RepoConfig,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, Provenance>>;
  mayWrite(repo: RepoName, login: string): Promise<boolean>;
}

export function createTrustReader(
  connection: Connection,
  now: () => number,
  personal: PersonalAccess,
): TrustReader {
  const known = new Map<string, { readonly writes: boolean; readonly until: number }>();
  return {
    async provenance(repo, { board }, ids) {
      const self = (await connection.botLogin()).replace(/\[bot\]$/, "");
      const watched = { self, ...watchedBoard(repo, board) };
      const attempted = "read who made issues ready";
      const wanted = { name: "Provenance", ids, selection: "...Record", fragments: RECORD };
      // GitHub shows moves on a person's project only to those who can see the project.
      const records =
        board.kind === "user-project"
          ? await personal.call({ repo, board, attempted }, (query) =>
              readIssuesBy<RecordNode>(wanted, query),
            )
          : await connection.call(repo, attempted, (client) =>
              readIssues<RecordNode>(client, wanted),
            );
      return new Map([...records].map(([id, record]) => [id, parseProvenance(record, watched)]));
    },
    async mayWrite(repo, login) {
      const key = `${repo} ${login.toLowerCase()}`;
      const before = known.get(key);
      if (before !== undefined && before.until > now()) return before.writes;
      const writes = await askPermission(connection, repo, login);
      known.set(key, { writes, until: now() + PERMISSION_GOOD_FOR_MS });
      return writes;
    },
  };
}

function watchedBoard(repo: RepoName, board: RepoConfig["board"]) {
  if (board.kind === "labels") return { labels: labelNames(board) };
  const { columns, project } = board;
  const owner = board.kind === "user-project" ? projectOwner(repo, board) : ownerOf(repo);
  return { columns, project, owner };
}

function askPermission(connection: Connection, repo: RepoName, login: string): Promise<boolean> {
  return connection.call(repo, `read what ${login} may do`, async (client) => {
    try {
      const { data } = await client.rest.repos.getCollaboratorPermissionLevel({
        ...ownerAndRepo(repo),
        username: login,
      });
      // GitHub says `write` here for maintainers, too, and never claims more than the person may do.
      return data.permission === "admin" || data.permission === "write";
    } catch (error) {
      if (httpFailureOf(error)?.status === 404) return false;
      throw error;
    }
  });
}
