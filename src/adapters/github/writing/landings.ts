import { sha } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { GitHub, MergeOutcome, RefsOutcome, Refusal } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { graphqlErrorsOf, httpFailureOf, isRateLimited } from "../connection/github-failure.ts";
import type { GraphqlError } from "../connection/github-failure.ts";

type RefsRequest = Parameters<GitHub["updateRefs"]>[1];

type MergeRequest = Parameters<GitHub["mergePullRequest"]>[1];

type EnqueueRequest = Parameters<GitHub["enqueuePullRequest"]>[1];

const MUTATION = /* GraphQL */ `
  mutation MoveRefs($input: UpdateRefsInput!) {
    updateRefs(input: $input) {
      clientMutationId
    }
  }
`;

const REPOSITORY = /* GraphQL */ `
  query RepositoryId($owner: String!, $repo: String!) {
    repository(owner: $owner, name: $repo) {
      id
    }
  }
`;

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

interface PullAnswer {
  readonly repository: { readonly pullRequest: { id: string; isInMergeQueue: boolean } | null };
}

/** Asks once. If the answer is lost, the outcome is `unknown`, and the caller reads where the refs are. */
export function createRefs(connection: Connection): (request: RefsRequest) => Promise<RefsOutcome> {
  const ids = new Map<number, string>();
  return async ({ repo, updates }) => {
    const number = await connection.idOf(repo);
    const repositoryId = ids.get(number) ?? (await readId(connection, repo));
    ids.set(number, repositoryId);
    const refUpdates = updates.map(({ branch, before, after, force }) => ({
      name: `refs/heads/${branch}`,
      beforeOid: before,
      afterOid: after,
      force,
    }));
    try {
      const client = await connection.client(repo);
      const input = { repositoryId, refUpdates };
      await client.graphql(MUTATION, { input, request: { retries: 0 } });
      return { kind: "moved" };
    } catch (error) {
      return refsOutcomeOf(error);
    }
  };
}

/** Asks once. If the answer is lost, the outcome is `unknown`: a merge is never repeated blindly, since a 500 may have merged. */
export async function mergePullRequest(
  connection: Connection,
  request: MergeRequest,
): Promise<MergeOutcome> {
  try {
    const client = await connection.client(request.repo);
    const { data } = await client.rest.pulls.merge({
      ...ownerAndRepo(request.repo),
      pull_number: request.pull,
      sha: request.head,
      merge_method: request.method,
      commit_title: request.title,
      commit_message: request.message,
      request: { retries: 0 },
    });
    return data.merged
      ? { kind: "merged", commit: sha(data.sha) }
      : { kind: "unknown", reason: data.message };
  } catch (error) {
    return outcomeOfFailure(error);
  }
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

async function readId(connection: Connection, repo: RepoName): Promise<string> {
  return connection.call(repo, "read the repository's id", async (client) => {
    const answer = await client.graphql<{ repository: { id: string } }>(
      REPOSITORY,
      ownerAndRepo(repo),
    );
    return answer.repository.id;
  });
}

/** Errors of these types say nothing about what was asked: GitHub itself failed. */
const FAILED = new Set(["INTERNAL", "SERVICE_UNAVAILABLE", "RESOURCE_LIMITS_EXCEEDED"]);

/** Says that no ref was moved and why, or that nobody knows. */
function refsOutcomeOf(error: unknown): RefsOutcome {
  // An `AppError` means that the request was never sent. Its message says what the request waits for.
  if (error instanceof AppError) return { kind: "unknown", reason: error.message };
  const errors = graphqlErrorsOf(error);
  if (errors !== undefined) return outcomeOfErrors(errors);
  const failure = httpFailureOf(error);
  if (failure === undefined || failure.status >= 500 || isRateLimited(failure)) {
    return { kind: "unknown", reason: "GitHub did not answer" };
  }
  return refusal(failure.message);
}

function outcomeOfErrors(errors: readonly GraphqlError[]): RefsOutcome {
  const reason = errors.map(({ message }) => message).join("; ");
  const type = errors.find((error) => error.type !== undefined)?.type;
  if (type === undefined || type.startsWith("RATE_LIMIT") || FAILED.has(type)) {
    return { kind: "unknown", reason: "GitHub failed to answer" };
  }
  // Any other type is a refusal. Whoever asked looks whether a ref has moved after all: not every type that says so is known.
  return type === "STALE_DATA" ? { kind: "stale", reason } : refusal(reason);
}

/** GitHub says only in words that it is about workflow files: status and type are those of any missing permission. */
function refusal(reason: string): Refusal {
  const workflows = /without `?workflows`? permission/.test(reason);
  return { kind: "refused", reason, ...(workflows && { workflows }) };
}

function outcomeOfFailure(error: unknown): MergeOutcome {
  // An `AppError` means that the request was never sent. Its message says what the request waits for.
  if (error instanceof AppError) return { kind: "unknown", reason: error.message };
  const failure = httpFailureOf(error);
  if (failure === undefined || failure.status >= 500 || isRateLimited(failure)) {
    return { kind: "unknown", reason: "GitHub did not answer the merge" };
  }
  if (failure.status === 409) return { kind: "head-moved" };
  // 405 is overloaded: whoever asked looks whether the base has moved.
  return refusal(failure.message);
}
