import type { Instant, RepoName } from "../domain/ids.ts";

/** Something on this machine's disk that may be of no use any more. `at` is when it was last used. */
export type Leftover =
  /** `open`: in use by this process. */
  | {
      readonly kind: "workspace";
      readonly repo: RepoName;
      readonly name: string;
      readonly at: Instant;
      readonly open: boolean;
    }
  | {
      readonly kind: "spare" | "setup" | "rescue" | "candidate";
      readonly repo: RepoName;
      readonly name: string;
      readonly at: Instant;
    }
  /** `loose`: objects that are in no pack yet, among them all that nobody refers to. */
  | {
      readonly kind: "mirror";
      readonly repo: RepoName;
      readonly at: Instant;
      readonly loose: number;
      readonly packs: number;
    }
  | {
      readonly kind: "log" | "home" | "run-folder" | "tmp";
      readonly name: string;
      readonly at: Instant;
    }
  | { readonly kind: "trash"; readonly name: string; readonly at: Instant };

export interface Leftovers {
  list(): Promise<readonly Leftover[]>;
  /** A workspace's work is saved first. Removing what is gone is harmless. */
  remove(leftover: Leftover): Promise<void>;
  /** Packs a mirror and drops objects that nobody has referred to for two weeks. */
  compact(repo: RepoName): Promise<void>;
}
