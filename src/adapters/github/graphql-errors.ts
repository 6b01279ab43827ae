export interface GraphqlError {
  /** GitHub's word for the kind of error, e.g. `FORBIDDEN`; a query that it does not understand has a code instead. */
  readonly type: string | undefined;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a GraphQL answer complained of; undefined for any other error. */
export function graphqlErrorsOf(error: unknown): readonly GraphqlError[] | undefined {
  if (!(error instanceof Error) || error.name !== "GraphqlResponseError") return undefined;
  const errors: unknown = "errors" in error ? error.errors : undefined;
  return Array.isArray(errors) ? errors.map(errorFrom) : [];
}

function errorFrom(raw: unknown): GraphqlError {
  const { type, path, message, extensions } = (raw ?? {}) as {
    readonly type?: unknown;
    readonly path?: unknown;
    readonly message?: unknown;
    readonly extensions?: { readonly code?: unknown } | null;
  };
  const word = type ?? extensions?.code;
  return {
    type: typeof word === "string" ? word : undefined,
    path: Array.isArray(path) ? (path as GraphqlError["path"]) : [],
    message: typeof message === "string" ? message : "no reason given",
  };
}
