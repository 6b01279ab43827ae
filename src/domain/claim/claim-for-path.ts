import type { Claim } from "../claim.ts";

/** Characters that mean something in a pattern. */
const SPECIAL = /[\\*?[\]{}()!+@|,]/g;

/** The claim to write exactly this path, whatever characters it has. */
export function claimForPath(path: string): Claim {
  return { mode: "write", pattern: path.replace(SPECIAL, String.raw`\$&`) };
}
