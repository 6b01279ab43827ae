import { sha } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { GitHub, QueuedGroup, RefsOutcome } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { present } from "./parse-reading.ts";
import { refsOutcomeOf } from "./refs.ts";

type EnqueueRequest = Parameters<GitHub["enqueuePullRequest"]>[1];

const PULL = /* GraphQL */ `
  query PullId($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        id
        isInMergeQueue
      }
    }
  }
`;

const ENQUEUE = /* GraphQL */ `
  mutation Enqueue($pull: ID!, $head: GitObjectID!) {
    enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) {
      clientMutationId
    }
  }
`;

const QUEUE = /* GraphQL */ `
  query MergeQueue($owner: String!, $repo: String!, $branch: String!) {
    repository(owner: $owner, name: $repo) {
      mergeQueue(branch: $branch) {
        entries(first: 100) {
          nodes {
            state
            headCommit {
              oid
            }
            pullRequest {
              number
            }
          }
        }
      }
    }
  }
`;

interface PullAnswer {
  readonly repository: { readonly pullRequest: { id: string; isInMergeQueue: boolean } | null };
}

export async function enqueuePullRequest(
  connection: Connection,
  { repo, pull, head }: EnqueueRequest,
): Promise<RefsOutcome> {
  try {
    const client = await connection.client(repo);
    const at = { ...ownerAndRepo(repo), number: pull };
    const { repository } = await client.graphql<PullAnswer>(PULL, at);
    if (repository.pullRequest === null) return { kind: "refused", reason: `no #${pull}` };
    const { id, isInMergeQueue } = repository.pullRequest;
    if (!isInMergeQueue) await client.graphql(ENQUEUE, { pull: id, head });
    return { kind: "moved" };
  } catch (error) {
    return refsOutcomeOf(error);
  }
}

interface QueueAnswer {
  readonly repository: {
    readonly mergeQueue: {
      readonly entries: {
        readonly nodes:
          | readonly ({
              readonly state: string;
              readonly headCommit: { readonly oid: string } | null;
              readonly pullRequest: { readonly number: number } | null;
            } | null)[]
          | null;
      } | null;
    } | null;
  } | null;
}

export function mergeQueue(
  connection: Connection,
  repo: RepoName,
  branch: string,
): Promise<readonly QueuedGroup[]> {
  return connection.call(repo, "read the merge queue", async (client) => {
    const at = { ...ownerAndRepo(repo), branch };
    const answer = await client.graphql<QueueAnswer>(QUEUE, at);
    const nodes = present(answer.repository?.mergeQueue?.entries?.nodes);
    return nodes.map((node) => ({
      pull: node.pullRequest?.number ?? 0,
      head: node.headCommit === null ? undefined : sha(node.headCommit.oid),
      waitsForChecks: node.state === "AWAITING_CHECKS",
    }));
  });
}
