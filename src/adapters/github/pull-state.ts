import { sha } from "../../domain/ids.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

/** Read before anything that cannot be repeated, and after an answer that was lost. */
export function pullState(
  connection: Connection,
  repo: RepoName,
  number: number,
): Promise<{ readonly state: "open" | "closed" | "merged"; readonly head: Sha }> {
  return connection.call(repo, `read pull request ${number}`, async (client) => {
    const { data } = await client.rest.pulls.get({ ...ownerAndRepo(repo), pull_number: number });
    return { state: data.merged ? "merged" : data.state, head: sha(data.head.sha) };
  });
}
