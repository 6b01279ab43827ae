import { setImmediate as otherWork } from "node:timers/promises";
import type { CommandEnd, DiskLimit } from "../ports/processes.ts";
import { DiskWalk } from "./disk-walk.ts";

/** Four moments of five milliseconds in a second are a fiftieth of one core. */
const MOMENT_EVERY_MS = 250;
/** From one whole look to the next, at least; and ten times what it took. */
const LEAST_REST_MS = 1000;
const REST_SHARE = 10;
/** Of the time of all commands together, so that sixty of them cost no more than a few. */
const PACE_SHARE = 10;

/** Shared by all who look: after a moment nobody has one for ten times as long. */
export class DiskPace {
  #notBefore = -Infinity;

  get isFree(): boolean {
    return performance.now() >= this.#notBefore;
  }

  spend(ms: number): void {
    this.#notBefore = performance.now() + ms * PACE_SHARE;
  }
}

/** Looks at the disk while a command runs: all the time, slowly, so that it costs the same for a large folder as for a small one. */
export class DiskWatch {
  readonly #limit: DiskLimit | undefined;
  readonly #pace: DiskPace;
  #walk: { readonly walk: DiskWalk; spentMs: number } | undefined;
  #notBefore = -Infinity;

  constructor(limit: DiskLimit | undefined, pace: DiskPace) {
    this.#limit = limit;
    this.#pace = pace;
  }

  look(): CommandEnd | undefined {
    const begun = performance.now();
    if (this.#limit === undefined || begun < this.#notBefore || !this.#pace.isFree)
      return undefined;
    const { folders, maxBytes } = this.#limit;
    this.#walk ??= { walk: new DiskWalk(folders, maxBytes), spentMs: 0 };
    const isOver = this.#walk.walk.advance();
    const spentMs = performance.now() - begun;
    this.#walk.spentMs += spentMs;
    this.#pace.spend(spentMs);
    if (isOver === true) return tooMuch(this.#limit);
    const restMs = Math.max(LEAST_REST_MS, this.#walk.spentMs * REST_SHARE);
    this.#notBefore = begun + (isOver === undefined ? MOMENT_EVERY_MS : restMs);
    if (isOver === false) this.#walk = undefined;
    return undefined;
  }

  close(): void {
    this.#walk?.walk.close();
  }
}

/** A whole look at once, between which others work: what was written last counts, too. */
export async function measureDisk(limit: DiskLimit | undefined): Promise<CommandEnd | undefined> {
  if (limit === undefined) return undefined;
  const walk = new DiskWalk(limit.folders, limit.maxBytes);
  for (;;) {
    const isOver = walk.advance();
    if (isOver !== undefined) return isOver ? tooMuch(limit) : undefined;
    await otherWork();
  }
}

function tooMuch({ maxBytes }: DiskLimit): CommandEnd {
  return { kind: "disk-limit", limitBytes: maxBytes };
}
