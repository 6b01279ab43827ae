import { claimRules } from "../../../../src/domain/claim/claim-rules.ts";
import type { Claim } from "../../../../src/domain/claim/claim.ts";
import { compileClaims } from "../../../../src/domain/claim/compile-claims.ts";
import type { CompiledClaims } from "../../../../src/domain/claim/compile-claims.ts";
import { parseClaim } from "../../../../src/domain/claim/parse-claim.ts";

const NO_SPECIAL_FILES = claimRules({ barrier: [], shared: [] });

/** The claim of a declared line that is known to be good. */
export function claim(line: string): Claim {
  const parsed = parseClaim(line);
  if (!parsed.ok) throw new Error(`${line}: ${parsed.error.reason}`);
  return parsed.value;
}

/** Claims compiled without barrier and shared files. */
export function compiled(...lines: readonly string[]): CompiledClaims {
  return compileClaims(lines.map(claim), NO_SPECIAL_FILES);
}
