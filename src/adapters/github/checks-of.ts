import type { RepoName, Sha } from "../../domain/ids.ts";
import type { CheckFact } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

/** GitHub itself counts the last two as passing. */
const PASSING = new Set(["success", "neutral", "skipped"]);

export function checksOf(
  connection: Connection,
  repo: RepoName,
  commit: Sha,
): Promise<readonly CheckFact[]> {
  return connection.call(repo, "read the checks of a commit", async (client) => {
    const at = { ...ownerAndRepo(repo), ref: commit, per_page: 100 };
    const runs = await client.paginate(client.rest.checks.listForRef, at);
    const { data } = await client.rest.repos.getCombinedStatusForRef(at);
    return [
      ...runs.map((run): CheckFact => ({
        name: run.name,
        app: run.app?.id,
        state: run.status === "completed" ? concluded(run.conclusion) : "pending",
      })),
      ...data.statuses.map((status): CheckFact => ({
        name: status.context,
        app: undefined,
        state: status.state === "pending" ? "pending" : concluded(status.state),
      })),
    ];
  });
}

function concluded(conclusion: string | null): "success" | "failure" {
  return PASSING.has(conclusion ?? "") ? "success" : "failure";
}
