import type { Sha } from "../../domain/ids.ts";
import type { MergedTrees } from "./merge-trees.ts";

/** What came of putting one change on top of another. */
export type Placed =
  | { readonly kind: "placed"; readonly commit: Sha; readonly tree: Sha }
  | Exclude<MergedTrees, { readonly kind: "merged" }>;
