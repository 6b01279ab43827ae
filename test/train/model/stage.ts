import type { RepoReading } from "../../../src/domain/board.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import type { Invariants } from "./invariants.ts";
import type { ModelClock } from "./model-clock.ts";
import type { ModelPull } from "./model-hub.ts";
import type { LeaseNews } from "./model-store.ts";
import type { Turns } from "./turns.ts";
import type { WatchedHub, WatchedStore } from "./watched.ts";

export interface Process {
  readonly name: string;
  readonly deps: Deps;
  ticking: boolean;
}

/** How luck has it. */
export interface Ways {
  readonly random: () => number;
  /** How a verification of this tree goes; what the tree really is unless given. */
  readonly verify?: (tree: Sha, isGreen: boolean) => boolean | Promise<boolean>;
  readonly approves?: () => boolean;
  readonly everyCall?: boolean;
}

/** Whoever else may write to the repository. */
export interface People {
  pushToBase(text: "good" | "bad"): void | Promise<void>;
  rewindBase(): void | Promise<void>;
  pushToHead(pull: ModelPull): void | Promise<void>;
  approve(pull: ModelPull): void;
  withdraw(pull: ModelPull): void;
  setDraft(pull: ModelPull, draft: boolean): void;
  close(pull: ModelPull): void;
}

/** A repository with changes for its train, the processes that see to them, and everybody else. Nothing happens by itself here. */
export interface Stage {
  readonly turns: Turns;
  readonly clock: ModelClock;
  readonly hub: WatchedHub;
  readonly store: WatchedStore & { readonly counts: Readonly<Record<LeaseNews["kind"], number>> };
  readonly invariants: Invariants;
  readonly processes: readonly Process[];
  readonly people: People;
  start(): Process;
  /** As by `kill -9`. */
  kill(process: Process): void;
  read(): RepoReading | Promise<RepoReading>;
  tick(process: Process, reading: RepoReading): void;
  /** What someone says to the app, and the app hears. */
  say(words: string): Promise<void>;
  /** Whatever was let go has come to its end. */
  settled(): Promise<void>;
  keepBug(error: unknown): void;
  /** Throws what went wrong, and what is not as it should be now that all is done. */
  check(): void | Promise<void>;
}
