import { sha } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { FailedCheck, LineComment, PullReview } from "../../domain/pull-review.ts";
import type { CheckPlace, GitHub } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection, Octokit } from "./connection.ts";

/** The app's own; see `publish-check.ts`. */
const OWN_CHECK = "wavetrain";
const BAD: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);
const STATES: Readonly<Record<string, PullReview["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
};

/** What was said about a pull request, read only when somebody asked for something. */
export function createReviewReader(
  connection: Connection,
): Pick<GitHub, "reviewsOf" | "failedChecks"> {
  return {
    reviewsOf: (repo, pull) =>
      connection.call(repo, `read the reviews of #${pull}`, (client) =>
        readReviews(client, repo, pull),
      ),
    failedChecks: (place) =>
      connection.call(place.repo, `read the checks of ${place.head}`, (client) =>
        readChecks(client, place),
      ),
  };
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

/** Where the base branch requires checks only those count, elsewhere all do. */
async function readChecks(
  client: Octokit,
  { repo, head, base }: CheckPlace,
): Promise<readonly FailedCheck[]> {
  const at = ownerAndRepo(repo);
  const ref = { ...at, ref: sha(head), filter: "latest", per_page: 100 } as const;
  const runs = await client.paginate(client.rest.checks.listForRef, ref);
  const failed = runs.filter(({ name, conclusion }) => name !== OWN_CHECK && BAD.has(conclusion));
  if (failed.length === 0) return [];
  const { data: rules } = await client.rest.repos.getBranchRules({ ...at, branch: base });
  const required = rules.flatMap((rule) =>
    rule.type === "required_status_checks"
      ? (rule.parameters?.required_status_checks ?? []).map(({ context }) => context)
      : [],
  );
  return failed
    .filter(({ name }) => required.length === 0 || required.includes(name))
    .map(({ name, output, completed_at: ended }) => ({
      name,
      text:
        [output.title, output.summary, output.text].filter(Boolean).join("\n\n") || "It failed.",
      at: Date.parse(ended ?? ""),
    }));
}
