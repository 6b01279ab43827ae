import type { RepoName, Sha } from "../../domain/ids.ts";
import { sha } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import type { Connection } from "./connection.ts";
import { ownerAndRepo } from "./connection.ts";

export function branchHead(connection: Connection, repo: RepoName, branch: string): Promise<Sha> {
  return connection.call(repo, `read the branch ${branch}`, async (client) => {
    const { data } = await client.rest.repos.getBranch({ ...ownerAndRepo(repo), branch });
    // GitHub answers for the new name of a branch that was renamed.
    if (data.name !== branch) {
      throw new AppError("github-refused", `the branch ${branch} is called ${data.name} now`);
    }
    return sha(data.commit.sha);
  });
}
