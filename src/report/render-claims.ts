import type { Claim, ClaimMode } from "../domain/claim.ts";
import { codeSpan } from "./escape-markdown.ts";
import { joinSome } from "./join-some.ts";

const MOST_CLAIMS = 20;
const PREFIXES: Readonly<Record<ClaimMode, string>> = { write: "", read: "read ", except: "not " };

/** Declared patterns as code, the first ones by name. */
export function renderClaims(claims: readonly Claim[]): string {
  return joinSome(
    claims.map(({ mode, pattern }) => `${PREFIXES[mode]}${codeSpan(pattern)}`),
    MOST_CLAIMS,
  );
}
