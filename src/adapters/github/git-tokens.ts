import type { RepoName } from "../../domain/ids.ts";
import { nameOf } from "../../domain/ids.ts";
import { classify } from "./classify.ts";
import type { Connection } from "./connection.ts";

/** GitHub's tokens live for an hour; a push that starts late must still finish. */
const RENEW_BEFORE_MS = 10 * 60_000;

/** Tokens good for one repository's contents, kept in memory and renewed before they expire. */
export function createGitTokens(
  connection: Connection,
  now: () => number,
): (repo: RepoName) => Promise<string> {
  const held = new Map<RepoName, { readonly token: string; readonly expiresAt: number }>();
  return async (repo) => {
    const present = held.get(repo);
    if (present !== undefined && present.expiresAt - RENEW_BEFORE_MS > now()) return present.token;
    try {
      const app = await connection.appClient();
      // Not octokit.auth(): under Probot that one ignores a base URL of our own.
      const { data } = await app.rest.apps.createInstallationAccessToken({
        installation_id: await connection.installationOf(repo),
        repositories: [nameOf(repo)],
        permissions: { contents: "write" },
      });
      held.set(repo, { token: data.token, expiresAt: Date.parse(data.expires_at) });
      return data.token;
    } catch (error) {
      throw classify(error, "get a token for git");
    }
  };
}
