export interface FieldProblem {
  readonly resource: string;
  readonly field: string;
  readonly code:
    "missing" | "missing_field" | "invalid" | "already_exists" | "custom" | "unprocessable";
  readonly message?: string;
}

export type RefusalType = "STALE_DATA" | "BRANCH_PROTECTION_RULE_VIOLATION";

/** Is a refusal in GitHub's words: REST answers with its status, GraphQL with its message. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** GraphQL tells this refusal by a type of its own. */
  readonly graphqlType: RefusalType | undefined;

  constructor(
    status: number,
    message: string,
    more: {
      readonly errors?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly graphqlType?: RefusalType;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
    this.graphqlType = more.graphqlType;
  }
}

export function notFound(): Problem {
  return new Problem(404, "Not Found");
}

export function invalid(error: FieldProblem): Problem {
  return new Problem(422, "Validation Failed", { errors: [error] });
}
