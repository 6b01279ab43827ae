import type { RepoName } from "../../../domain/ids.ts";
import type { Connection } from "./connection.ts";

export interface BotIdentity {
  readonly name: string;
  readonly email: string;
}

/** GitHub shows a commit as the app's own by the number in this address, and rules about addresses accept no other of a bot. */
export function createBotIdentity(
  connection: Pick<Connection, "botLogin" | "call">,
): (repo: RepoName) => Promise<BotIdentity> {
  let known: Promise<BotIdentity> | undefined;
  return (repo) => {
    known ??= readIdentity(connection, repo).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** An app's own token is no good for this question, so it is put by the installation that needs the answer first. */
async function readIdentity(
  connection: Pick<Connection, "botLogin" | "call">,
  repo: RepoName,
): Promise<BotIdentity> {
  const name = await connection.botLogin();
  const { data } = await connection.call(repo, "read the app's own account", (client) =>
    client.rest.users.getByUsername({ username: name }),
  );
  return { name, email: `${data.id}+${name}@users.noreply.github.com` };
}
