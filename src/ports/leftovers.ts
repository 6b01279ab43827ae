import type { Instant, RepoName } from "../domain/ids.ts";

/** This is something on this machine's disk that may be of no use any more. `at` says when it was last used. */
export type Leftover =
  /** `open` says that this process uses the workspace. */
  | {
      readonly kind: "workspace";
      readonly repo: RepoName;
      readonly name: string;
      readonly at: Instant;
      readonly open: boolean;
    }
  | {
      readonly kind: "spare" | "setup" | "rescue" | "evaluation";
      readonly repo: RepoName;
      readonly name: string;
      readonly at: Instant;
    }
  /** `loose` counts objects that are in no pack yet. Among them are all objects that nobody refers to. */
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
  /** Removes it. The work of a workspace is saved first. It is harmless if it is gone already. */
  remove(leftover: Leftover): Promise<void>;
  /** Packs a mirror and deletes objects that nobody has referred to for two weeks. */
  compact(repo: RepoName): Promise<void>;
}
