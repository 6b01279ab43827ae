import type { Sha } from "../domain/ids.ts";
import type { Batch } from "./batch.ts";
import type { BaseTip } from "./snapshot.ts";

/** Something to be verified that outlives a tick. */
export type Verification =
  | { readonly kind: "batch"; readonly batch: Batch }
  | ({ readonly kind: "base" } & Pick<BaseTip, "commit" | "tree">)
  /** A group of GitHub's own merge queue. */
  | { readonly kind: "group"; readonly commit: Sha };

/** The commit under verification names it: starting the same one twice is harmless. */
export function commitOf(verification: Verification): Sha {
  return verification.kind === "batch" ? verification.batch.candidate.commit : verification.commit;
}
