import { sha } from "../../../domain/ids.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { FailedCheck, LineComment, PullReview } from "../../../domain/pull-review.ts";
import type { CheckFact, CheckPlace, GitHub } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";

/** The app's own check has this name (see `publish-check.ts`). */
const OWN_CHECK = "wavetrain";

const BAD: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);

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

/** Where the base branch requires checks, only those count. Elsewhere all checks count. */
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

function concluded(conclusion: string | null): "success" | "failure" {
  return PASSING.has(conclusion ?? "") ? "success" : "failure";
}
