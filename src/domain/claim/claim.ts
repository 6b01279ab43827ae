/**
 * `write` means that the task may change what the pattern matches, `read` that it depends on those paths staying as they are.
 * `except` takes paths out of the task's other claims.
 */
export type ClaimMode = "write" | "read" | "except";

/** A claim is one declared path pattern, as written; docs/claims.md describes the dialect. */
export interface Claim {
  readonly mode: ClaimMode;
  readonly pattern: string;
}

/** These characters mean something in a pattern. */
const SPECIAL = /[\\*?[\]{}()!+@|,]/g;

/** Returns the claim to write exactly this path, whatever characters it has. */
export function claimForPath(path: string): Claim {
  return { mode: "write", pattern: path.replace(SPECIAL, String.raw`\$&`) };
}
