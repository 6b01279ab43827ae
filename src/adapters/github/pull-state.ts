import { sha } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { PullFacts } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

const QUERY = /* GraphQL */ `
  query PullState($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        state
        isDraft
        headRefOid
        baseRefName
        isInMergeQueue
        mergeCommit {
          oid
        }
      }
    }
  }
`;

interface Answer {
  readonly repository: {
    readonly pullRequest: {
      readonly state: "OPEN" | "CLOSED" | "MERGED";
      readonly isDraft: boolean;
      readonly headRefOid: string;
      readonly baseRefName: string;
      readonly isInMergeQueue: boolean;
      readonly mergeCommit: { readonly oid: string } | null;
    } | null;
  } | null;
}

export const PULL_STATES = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;

/** Read before anything that cannot be repeated, and after an answer that was lost. REST no longer tells the merge commit. */
export function pullState(
  connection: Connection,
  repo: RepoName,
  number: number,
): Promise<PullFacts> {
  const attempted = `read pull request ${number}`;
  return connection.call(repo, attempted, async (client) => {
    const answer = await client.graphql<Answer>(QUERY, { ...ownerAndRepo(repo), number });
    const pull = answer.repository?.pullRequest;
    if (pull == null) throw new AppError("github-refused", `cannot ${attempted}: it is not there`);
    return {
      state: PULL_STATES[pull.state],
      head: sha(pull.headRefOid),
      base: pull.baseRefName,
      draft: pull.isDraft,
      mergedAs: pull.mergeCommit === null ? undefined : sha(pull.mergeCommit.oid),
      inMergeQueue: pull.isInMergeQueue,
    };
  });
}
