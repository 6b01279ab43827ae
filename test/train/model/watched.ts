import type { Change } from "../../../src/domain/change.ts";
import type { RepoPause } from "../../../src/domain/given-command.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { RecordedEvent, RepoMemory } from "../../../src/ports/store.ts";
import type { History } from "./history.ts";
import type { ModelPull } from "./model-hub.ts";
import type { LeaseNews } from "./model-store.ts";

export interface BaseMoved {
  readonly before: Sha;
  readonly after: Sha;
  readonly by: "us" | "others";
}

/** What the invariants look at of branches and pull requests: in memory, or GitHub's own on disk. */
export interface WatchedHub {
  readonly objects: History;
  readonly base: string;
  /** While the base is being moved: where it was. */
  readonly tip: Sha;
  readonly pulls: ReadonlyMap<number, ModelPull>;
  readonly movedLate: ReadonlySet<Sha>;
  readonly pushed: ReadonlySet<Sha>;
  openPullsOnto(branch: string): readonly number[];
  watch: (move: BaseMoved) => void;
  watchDelete: (branch: string) => void;
}

/** What they look at of the store. */
export interface WatchedStore {
  readonly events: readonly RecordedEvent[];
  readonly before: RepoMemory;
  memory(): RepoMemory;
  pauseOf(): RepoPause | undefined;
  watch: (changes: readonly Change[], memory: RepoMemory, holder: string | undefined) => void;
  watchLease: (news: LeaseNews) => void;
}
