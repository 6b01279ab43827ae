import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { LineComment, PullReview } from "../../../domain/pull-review.ts";
import type { CheckFact, GitHub } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { readEvidence, readFailedChecks, thatCount } from "./failed-checks.ts";

/** GitHub itself counts `neutral` and `skipped` as passing. */
const PASSING = new Set(["success", "neutral", "skipped"]);

const STATES: Readonly<Record<string, PullReview["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
};

/** Reads what people and checks said about a pull request. It is called only after somebody asked for a change. */
export function createReviewReader(
  connection: Connection,
  branchRules: GitHub["branchRules"],
): Pick<GitHub, "reviewsOf" | "failedChecks" | "evidenceOf"> {
  return {
    reviewsOf: (repo, pull) =>
      connection.call(repo, `read the reviews of #${pull}`, (client) =>
        readReviews(client, repo, pull),
      ),
    async failedChecks(place) {
      const { repo, head, base } = place;
      const failed = await connection.call(repo, `read the checks of ${head}`, (client) =>
        readFailedChecks(client, place),
      );
      if (failed.length === 0) return [];
      return thatCount(failed, (await branchRules(repo, base, "now")).checks);
    },
    async evidenceOf(repo, check) {
      const mayReadActions = await connection.mayReadActions(repo);
      return connection.call(repo, `read why ${check.name} failed`, (client) =>
        readEvidence(check, { client, repo, mayReadActions }),
      );
    },
  };
}

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

async function readReviews(
  client: Octokit,
  repo: RepoName,
  pull: number,
): Promise<readonly PullReview[]> {
  const at = { ...ownerAndRepo(repo), pull_number: pull, per_page: 100 };
  const reviews = await client.paginate(client.rest.pulls.listReviews, at);
  const remarks = await client.paginate(client.rest.pulls.listReviewComments, at);
  return reviews.map((review) => ({
    id: review.node_id,
    by: review.user?.login,
    automated: review.user?.type === "Bot",
    state: STATES[review.state] ?? "dismissed",
    body: review.body,
    at: Date.parse(review.submitted_at ?? ""),
    comments: remarks
      .filter((remark) => remark.pull_request_review_id === review.id)
      .map((remark): LineComment => {
        const line = remark.line ?? remark.original_line;
        return { path: remark.path, line, text: remark.body, at: Date.parse(remark.created_at) };
      }),
  }));
}

export function concluded(conclusion: string | null): "success" | "failure" {
  return PASSING.has(conclusion ?? "") ? "success" : "failure";
}
