import type { RepoName } from "../../../domain/ids.ts";
import type { Connection } from "./connection.ts";
import { classify, httpFailureOf } from "./github-failure.ts";

/** GitHub's tokens live for an hour. They are renewed early so that a push that starts late can still finish. */
const RENEW_BEFORE_MS = 10 * 60_000;

interface HeldToken {
  readonly version: string;
  readonly token: string;
  readonly expiresAt: number;
  readonly workflows: boolean;
}

/** Gets tokens that are good for one repository's contents, and its workflow files where the installation has that. It keeps them in memory and renews them before they expire. */
export function createGitTokens(
  connection: Connection,
  now: () => number,
): (repo: RepoName) => Promise<string> {
  const held = new Map<RepoName, HeldToken>();
  return async (repo) => {
    try {
      const workflows = await connection.mayWriteWorkflows(repo);
      const version = await connection.versionOf(repo);
      const present = held.get(repo);
      const isGood = present !== undefined && present.expiresAt - RENEW_BEFORE_MS > now();
      if (isGood && present.workflows === workflows && present.version === version)
        return present.token;
      const made = await makeToken(connection, repo, workflows).catch(async (error: unknown) => {
        if (!workflows || httpFailureOf(error)?.status !== 422) throw error;
        // The permission was taken back since the list was read.
        await connection.listRepos();
        return makeToken(connection, repo, await connection.mayWriteWorkflows(repo));
      });
      held.set(repo, made);
      return made.token;
    } catch (error) {
      throw classify(error, "get a token for git");
    }
  };
}

async function makeToken(
  connection: Connection,
  repo: RepoName,
  workflows: boolean,
): Promise<HeldToken> {
  const app = await connection.appClient();
  const id = await connection.idOf(repo);
  const version = await connection.versionOf(repo);
  // octokit.auth() is not used, because under Probot it ignores our base URL.
  const { data } = await app.rest.apps.createInstallationAccessToken({
    installation_id: await connection.installationOf(repo),
    // The name may belong to another repository by now, the number does not.
    repository_ids: [id],
    permissions: { contents: "write", ...(workflows && { workflows: "write" }) },
  });
  return { version, token: data.token, expiresAt: Date.parse(data.expires_at), workflows };
}
