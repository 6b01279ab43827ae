import type { RepoName } from "../../domain/ids.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

export function openPullsOnto(
  connection: Connection,
  repo: RepoName,
  branch: string,
): Promise<readonly number[]> {
  return connection.call(repo, `list the pull requests onto ${branch}`, async (client) => {
    const wanted = { ...ownerAndRepo(repo), base: branch, state: "open" as const };
    const { data } = await client.rest.pulls.list(wanted);
    return data.map(({ number }) => number);
  });
}
