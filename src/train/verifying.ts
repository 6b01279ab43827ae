import type { RepoContext } from "../deps.ts";
import type { Sha } from "../domain/ids.ts";
import type { Verdict } from "../domain/verdict.ts";

/** How one way of verifying ended. */
export interface Said {
  readonly verdict: Verdict["verdict"];
  readonly tail: string;
}

export interface Verifying {
  readonly context: RepoContext;
  readonly commit: Sha;
  readonly tree: Sha;
  readonly signal: AbortSignal;
}
