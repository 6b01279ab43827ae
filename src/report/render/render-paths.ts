import type { Claim, ClaimMode } from "../../domain/claim/claim.ts";
import { codeSpan } from "./escape-markdown.ts";

const MAX_PATHS = 10;
const MAX_CLAIMS = 20;
const PREFIXES: Readonly<Record<ClaimMode, string>> = { write: "", read: "read ", except: "not " };

/** Writes paths as code: the first ones by name, then the number of the rest. */
export function renderPaths(paths: readonly string[], most = MAX_PATHS): string {
  return joinSome(
    paths.map((path) => codeSpan(path)),
    most,
  );
}

/** Writes declared patterns as code: the first ones by name, then the number of the rest. */
export function renderClaims(claims: readonly Claim[]): string {
  return joinSome(
    claims.map(({ mode, pattern }) => `${PREFIXES[mode]}${codeSpan(pattern)}`),
    MAX_CLAIMS,
  );
}

function joinSome(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return rest <= 0 ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${rest} more`;
}
