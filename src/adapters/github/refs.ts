import type { RepoName } from "../../domain/ids.ts";
import type { GitHub, RefsOutcome } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { httpFailureOf, isRateLimited } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import type { GraphqlError } from "./graphql-errors.ts";

type RefsRequest = Parameters<GitHub["updateRefs"]>[1];

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

/** Asks once. A lost answer is `unknown`: the caller reads where the refs are. */
export function createRefs(connection: Connection): (request: RefsRequest) => Promise<RefsOutcome> {
  const ids = new Map<RepoName, string>();
  return async ({ repo, updates }) => {
    const repositoryId = ids.get(repo) ?? (await readId(connection, repo));
    ids.set(repo, repositoryId);
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

async function readId(connection: Connection, repo: RepoName): Promise<string> {
  return connection.call(repo, "read the repository's id", async (client) => {
    const answer = await client.graphql<{ repository: { id: string } }>(
      REPOSITORY,
      ownerAndRepo(repo),
    );
    return answer.repository.id;
  });
}

// GitHub gives these no type of their own: what is not a rule or a permission is a ref that is elsewhere.
const RULE = /rule|protected|permission|not accessible|authorized|must be made through/i;

/** Whether none was moved and why, or nobody knows. */
export function refsOutcomeOf(error: unknown): RefsOutcome {
  // It was never sent: what it waits for is all there is to say.
  if (error instanceof AppError) return { kind: "unknown", reason: error.message };
  const errors = graphqlErrorsOf(error);
  if (errors !== undefined) return outcomeOfErrors(errors);
  const failure = httpFailureOf(error);
  if (failure === undefined || failure.status >= 500 || isRateLimited(failure)) {
    return { kind: "unknown", reason: "GitHub did not answer" };
  }
  return { kind: "refused", reason: failure.message };
}

function outcomeOfErrors(errors: readonly GraphqlError[]): RefsOutcome {
  const reason = errors.map(({ message }) => message).join("; ");
  const type = errors.find((error) => error.type !== undefined)?.type;
  if (type === undefined || type.startsWith("RATE_LIMIT")) {
    return { kind: "unknown", reason: "GitHub failed to answer" };
  }
  const refused = type === "FORBIDDEN" || RULE.test(reason);
  return { kind: refused ? "refused" : "stale", reason };
}
