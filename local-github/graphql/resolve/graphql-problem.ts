import type { RefusalType } from "../../model/problem.ts";

export type ProblemType =
  | "FORBIDDEN"
  | "INSUFFICIENT_SCOPES"
  | "NOT_FOUND"
  | "UNPROCESSABLE"
  | "VALIDATION"
  | "RATE_LIMITED"
  | "INVALID_CURSOR_ARGUMENTS"
  | "MISSING_PAGINATION_BOUNDARIES"
  | "EXCESSIVE_PAGINATION"
  | "MAX_NODE_LIMIT_EXCEEDED"
  | RefusalType;

/** Is a refusal of GitHub's GraphQL. All are answered with HTTP 200 and told apart by their type. */
export class GraphqlProblem extends Error {
  override readonly name = "GraphqlProblem";
  readonly type: ProblemType;

  constructor(type: ProblemType, message: string) {
    super(message);
    this.type = type;
  }
}

export function forbidden(): GraphqlProblem {
  return new GraphqlProblem("FORBIDDEN", "Resource not accessible by integration");
}

export function insufficientScopes(field: string, scope: string): GraphqlProblem {
  return new GraphqlProblem(
    "INSUFFICIENT_SCOPES",
    `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ['${scope}'].`,
  );
}

export function unresolvable(what: string): GraphqlProblem {
  return new GraphqlProblem("NOT_FOUND", `Could not resolve to ${what}.`);
}

export function unresolvableNode(id: string): GraphqlProblem {
  return new GraphqlProblem(
    "NOT_FOUND",
    `Could not resolve to a node with the global id of '${id}'`,
  );
}
