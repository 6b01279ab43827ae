import { lstatSync, opendirSync } from "node:fs";
import type { Dir, Stats } from "node:fs";
import { setImmediate as otherWork } from "node:timers/promises";
import type { CommandEnd, DiskLimit } from "../../ports/processes.ts";

/** Four looks of five milliseconds in a second use a fiftieth of one core. */
const MOMENT_EVERY_MS = 250;
/** After a whole walk we rest at least this long, and at least ten times as long as the walk took. */
const MIN_REST_MS = 1000;
const REST_SHARE = 10;
/** This limits the time of all commands together, so that sixty of them cost no more than a few. */
const PACE_SHARE = 10;

/** Even an empty file takes an inode and a name in its folder. */
const MIN_FILE_BYTES = 4096;
const BLOCK_BYTES = 512;
const NAMES_AT_ONCE = 256;
/**
 * These names take five milliseconds. On a slow disk or a busy machine `MAX_STEP_MS` ends the step earlier, so that nobody waits
 * long.
 */
const MAX_NAMES_PER_STEP = 1000;
const MAX_STEP_MS = 20;
/** Nobody needs more folders than this, and so many still fit well into memory. */
const MAX_WAITING_FOLDERS = 200_000;

/** All watches share one pace: after one of them has looked, nobody looks for ten times as long. */
export class DiskPace {
  #notBefore = -Infinity;

  get isFree(): boolean {
    return performance.now() >= this.#notBefore;
  }

  spend(ms: number): void {
    this.#notBefore = performance.now() + ms * PACE_SHARE;
  }
}

/**
 * Looks at the disk all the time while a command runs, but slowly, so that a large folder costs no more time per second than a
 * small one.
 */
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
    const restMs = Math.max(MIN_REST_MS, this.#walk.spentMs * REST_SHARE);
    this.#notBefore = begun + (isOver === undefined ? MOMENT_EVERY_MS : restMs);
    if (isOver === false) this.#walk = undefined;
    return undefined;
  }

  close(): void {
    this.#walk?.walk.close();
  }
}

/** Looks at everything at once, so that the last writes count too. Other work runs in between. */
export async function measureDisk(limit: DiskLimit | undefined): Promise<CommandEnd | undefined> {
  if (limit === undefined) return undefined;
  const walk = new DiskWalk(limit.folders, limit.maxBytes);
  for (;;) {
    const isOver = walk.advance();
    if (isOver !== undefined) return isOver ? tooMuch(limit) : undefined;
    await otherWork();
  }
}

/**
 * Adds up how much of the disk folders take, a little at a time. It asks the kernel synchronously: the kernel answers from memory,
 * and a thread for each file would cost ten times as much. A file counts with its blocks or with its size, whichever is more. A
 * file with several names counts once, links are not followed, and files that go away meanwhile do not matter.
 */
export class DiskWalk {
  readonly #maxBytes: number;
  readonly #waiting: string[];
  readonly #linked = new Set<number>();
  #open: { readonly path: string; readonly dir: Dir } | undefined;
  #bytes = 0;

  constructor(folders: readonly string[], maxBytes: number) {
    this.#waiting = [...folders];
    this.#maxBytes = maxBytes;
    for (const folder of folders) this.#count(folder);
  }

  /**
   * Continues the walk for a moment. The result is undefined while there is more to see, and true as soon as the folders hold too
   * much.
   */
  advance(): boolean | undefined {
    const end = performance.now() + MAX_STEP_MS;
    for (let seen = 0; seen < MAX_NAMES_PER_STEP && performance.now() < end; seen += 1) {
      if (!this.#isOver() && this.#step()) continue;
      this.close();
      return this.#isOver();
    }
    return undefined;
  }

  /** Closes a walk that does not go on to its end. */
  close(): void {
    this.#open?.dir.closeSync();
    this.#open = undefined;
  }

  #isOver(): boolean {
    return this.#bytes > this.#maxBytes || this.#waiting.length > MAX_WAITING_FOLDERS;
  }

  /** Looks at one more name or opens one more folder. It returns false when there is none left. */
  #step(): boolean {
    if (this.#open === undefined) {
      const path = this.#waiting.pop();
      if (path === undefined) return false;
      const dir = this.#ask(() => opendirSync(path, { bufferSize: NAMES_AT_ONCE }));
      if (dir !== undefined) this.#open = { path, dir };
      return true;
    }
    const { path, dir } = this.#open;
    const entry = this.#ask(() => dir.readSync()) ?? null;
    if (entry === null) {
      this.close();
      return true;
    }
    const below = `${path}/${entry.name}`;
    if (this.#count(below)?.isDirectory() === true) this.#waiting.push(below);
    return true;
  }

  #count(path: string): Stats | undefined {
    const stat = this.#ask(() => lstatSync(path, { throwIfNoEntry: false }));
    if (stat === undefined || !this.#isNew(stat)) return undefined;
    this.#bytes += Math.max(stat.size, stat.blocks * BLOCK_BYTES, MIN_FILE_BYTES);
    return stat;
  }

  #isNew(stat: Stats): boolean {
    if (stat.nlink < 2 || stat.isDirectory()) return true;
    if (this.#linked.has(stat.ino)) return false;
    this.#linked.add(stat.ino);
    return true;
  }

  /**
   * A file that is gone, or that we may not see, counts nothing. If a path is too long to be asked for, anything may be below it,
   * so it counts as too much.
   */
  #ask<T>(question: () => T): T | undefined {
    try {
      return question();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      if (error.code === "ENAMETOOLONG") this.#bytes = Infinity;
      return undefined;
    }
  }
}

function tooMuch({ maxBytes }: DiskLimit): CommandEnd {
  return { kind: "disk-limit", limitBytes: maxBytes };
}
