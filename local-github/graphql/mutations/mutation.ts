import { Problem } from "../../model/problem.ts";
import { forbidden, GraphqlProblem } from "../resolve/graphql-problem.ts";
import type { ProblemType } from "../resolve/graphql-problem.ts";
import type { Fields } from "../resolve/resolver.ts";
import type { Viewer } from "../resolve/viewer.ts";
import { boardMutations } from "./board.ts";
import type { Input } from "./input.ts";
import { issueMutations } from "./issue.ts";
import { mergeQueueMutations } from "./merge-queue.ts";
import { pullRequestMutations } from "./pull-request.ts";
import { refMutations } from "./refs.ts";
import { threadMutations } from "./thread.ts";

type Mutation = (root: unknown, args: Input<unknown>, viewer: Viewer) => unknown;

const MUTATIONS = {
  ...boardMutations,
  ...issueMutations,
  ...threadMutations,
  ...pullRequestMutations,
  ...mergeQueueMutations,
  ...refMutations,
};

/** Holds every mutation that is modelled; each echoes its `clientMutationId`. */
export const mutationFields: Fields<unknown> = Object.fromEntries(
  Object.entries(MUTATIONS).map(([name, mutation]) => [name, inGraphqlWords(mutation as Mutation)]),
);

function inGraphqlWords(mutation: Mutation): Mutation {
  return async (root, args, viewer) => {
    try {
      const payload = (await mutation(root, args, viewer)) as object;
      return { ...payload, clientMutationId: args.input.clientMutationId ?? null };
    } catch (error) {
      throw error instanceof Problem ? graphqlProblem(error) : error;
    }
  };
}

function graphqlProblem(problem: Problem): GraphqlProblem {
  if (problem.status === 403 && !problem.message.startsWith("refusing")) return forbidden();
  const plain = problem.status === 404 ? "NOT_FOUND" : "UNPROCESSABLE";
  const type: ProblemType = problem.graphqlType ?? plain;
  const details = problem.errors?.flatMap((error) => error.message ?? []) ?? [];
  return new GraphqlProblem(type, details.length > 0 ? details.join(", ") : problem.message);
}
