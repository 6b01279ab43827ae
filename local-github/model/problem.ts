export interface FieldProblem {
  readonly resource: string;
  readonly field: string;
  readonly code: "missing" | "missing_field" | "invalid" | "already_exists" | "custom";
  readonly message?: string;
}

/** Is a refusal in GitHub's words: REST answers with its status, GraphQL with its message. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    more: {
      readonly errors?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

export function notFound(): Problem {
  return new Problem(404, "Not Found");
}

export function invalid(error: FieldProblem): Problem {
  return new Problem(422, "Validation Failed", { errors: [error] });
}
