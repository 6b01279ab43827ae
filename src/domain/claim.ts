/**
 * `write`: the task may change what the pattern matches. `read`: it depends on those paths staying as they are.
 * `except`: paths taken out of the task's other claims.
 */
export type ClaimMode = "write" | "read" | "except";

/** One declared path pattern, as written; the dialect is in docs/claims.md. */
export interface Claim {
  readonly mode: ClaimMode;
  readonly pattern: string;
}
