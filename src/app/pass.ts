import { soonest } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { LaneName } from "../loop/lane.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory, StoredRepo } from "../ports/store.ts";
import type { Reporter } from "../report/reporter.ts";
import type { Knowledge, KnownRepo } from "./knowledge.ts";

export type WakeLane = (repo: RepoName, lane: LaneName) => void;

/** A pass is one tick of a lane on its way through the lane's stages. */
export interface Pass {
  readonly context: RepoContext;
  /** It is what all lanes of the repository know; stages add what they learned to it. */
  readonly known: Knowledge;
  /** It was known when the pass began. */
  readonly before: Knowledge;
  /** Is true if GitHub may have changed. */
  readonly isNews: boolean;
  readonly signals: readonly Signal[];
  readonly stored: StoredRepo & { readonly isChanged: boolean };
}

/** A pass over a repository whose board was read. */
export type KnownPass = Pass & { readonly known: KnownRepo };

export interface StageEnd {
  /** These facts are known from now on. */
  readonly learned?: Partial<Knowledge>;
  /** The stage wrote to the store. */
  readonly wrote?: boolean;
  /** These lanes would find something new. */
  readonly wakes?: readonly LaneName[];
  /** The lane wants another tick then, without any news. */
  readonly again?: Instant | undefined;
  /** The stages that follow have nothing to decide on. */
  readonly isOver?: boolean;
}

export interface Stage {
  readonly name: string;
  /** The stage lives in this folder of `src`. */
  readonly folder: string;
  /** Stages of one lane follow each other; no lane waits for another. */
  readonly lane: LaneName;
  readonly run: (pass: Pass, deps: StageDeps) => Promise<StageEnd>;
}

export interface StageDeps extends Deps {
  readonly reporter: Reporter;
}

/** Sends a pass through stages, in their order. Resolves to when one of them wants to run again. */
export async function runStages(
  stages: readonly Stage[],
  pass: Pass,
  { deps, wakeLane }: { readonly deps: StageDeps; readonly wakeLane: WakeLane },
): Promise<Instant | undefined> {
  let again: Instant | undefined;
  for (const { run } of stages) {
    const end = await run(pass, deps);
    Object.assign(pass.known, end.learned);
    if (end.wrote === true) pass.stored.changed();
    for (const lane of end.wakes ?? []) wakeLane(pass.context.repo, lane);
    again = soonest(again, end.again);
    if (end.isOver === true) break;
  }
  return again;
}

/** Reads the store when a stage first asks for it, and not again until the pass itself has written. */
export class PassMemory implements StoredRepo {
  readonly #read: () => Promise<RepoMemory>;
  #memory: Promise<RepoMemory> | undefined;
  #reads = 0;
  #isChanged = false;

  constructor(read: () => Promise<RepoMemory>) {
    this.#read = read;
  }

  read(): Promise<RepoMemory> {
    if (this.#memory !== undefined) return this.#memory;
    this.#reads += 1;
    this.#memory = this.#read();
    return this.#memory;
  }

  changed(): void {
    this.#isChanged = true;
    this.#memory = undefined;
  }

  get reads(): number {
    return this.#reads;
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }
}
