import { GraphQLError } from "graphql";
import type { ExecutionResult } from "graphql";
import { GraphqlProblem } from "./resolve/graphql-problem.ts";

/** Is an error as GitHub writes it: `type` stands beside the message, for the errors that have one. */
export interface GraphqlErrorAnswer {
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlErrorAnswer[];
}

export function answerFrom(result: ExecutionResult): GraphqlAnswer {
  return {
    data: result.data,
    ...(result.errors && { errors: result.errors.map(errorAnswer) }),
  };
}

/** Answers a request that was refused before it ran. Any other error is a bug of ours and thrown on. */
export function refusalFrom(error: unknown): GraphqlAnswer {
  if (error instanceof GraphQLError) return { errors: [errorAnswer(error)] };
  if (error instanceof GraphqlProblem) {
    return { errors: [{ type: error.type, message: error.message }] };
  }
  throw error;
}

function errorAnswer(error: GraphQLError): GraphqlErrorAnswer {
  const problem = error.originalError;
  return {
    ...(problem instanceof GraphqlProblem && { type: problem.type }),
    ...(error.path && { path: error.path }),
    ...(error.locations && { locations: error.locations }),
    message: error.message,
  };
}
