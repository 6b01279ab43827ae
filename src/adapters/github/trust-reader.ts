import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import { ownerOf } from "../../domain/ids.ts";
import type { Provenance } from "../../domain/provenance.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { labelNames } from "../../config/label-names.ts";
import { parseProvenance } from "./parse-provenance.ts";
import type { WatchedBoard } from "./parse-provenance.ts";
import { readIssues, readIssuesBy } from "./many-issues.ts";
import type { IssueAnswer, ManyIssues } from "./many-issues.ts";
import { projectOwner } from "./personal-access.ts";
import type { PersonalAccess } from "./personal-access.ts";
import { RECORD } from "./provenance-query.ts";
import type { RecordNode } from "./provenance-query.ts";

/** Within GitHub's limits for one document. */
const MOST = 50;
/** A board full of one person's cards asks about them once. */
const GOOD_FOR_MS = 5 * 60_000;

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
      const found = new Map<TaskId, Provenance>();
      const attempted = "read who made issues ready";
      // Moves on a person's project are on record for those who can see it.
      const ask = (wanted: ManyIssues): Promise<IssueAnswer<RecordNode>> =>
        board.kind === "user-project"
          ? personal.call({ repo, board, attempted }, (query) =>
              readIssuesBy<RecordNode>(wanted, query),
            )
          : connection.call(repo, attempted, (client) => readIssues(client, wanted));
      for (let at = 0; at < ids.length; at += MOST) {
        await readSome(ask, { watched, ids: ids.slice(at, at + MOST) }, found);
      }
      return found;
    },
    async mayWrite(repo, login) {
      const key = `${repo} ${login.toLowerCase()}`;
      const before = known.get(key);
      if (before !== undefined && before.until > now()) return before.writes;
      const writes = await askPermission(connection, repo, login);
      known.set(key, { writes, until: now() + GOOD_FOR_MS });
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

async function readSome(
  ask: (wanted: ManyIssues) => Promise<IssueAnswer<RecordNode>>,
  { watched, ids }: { readonly watched: WatchedBoard; readonly ids: readonly TaskId[] },
  found: Map<TaskId, Provenance>,
): Promise<void> {
  const wanted = { name: "Provenance", ids, selection: "...Record", fragments: RECORD };
  const answer = await ask(wanted);
  ids.forEach((id, at) => {
    const record = answer[`issue${at}`]?.issue;
    if (record) found.set(id, parseProvenance(record, watched));
  });
}

function askPermission(connection: Connection, repo: RepoName, login: string): Promise<boolean> {
  return connection.call(repo, `read what ${login} may do`, async (client) => {
    try {
      const { data } = await client.rest.repos.getCollaboratorPermissionLevel({
        ...ownerAndRepo(repo),
        username: login,
      });
      // GitHub says `write` here for maintainers too, and never more than the person has.
      return data.permission === "admin" || data.permission === "write";
    } catch (error) {
      if (httpFailureOf(error)?.status === 404) return false;
      throw error;
    }
  });
}
