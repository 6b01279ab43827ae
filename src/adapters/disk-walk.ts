import { lstatSync, opendirSync } from "node:fs";
import type { Dir, Stats } from "node:fs";

/** Files that hold nothing take an inode, and a name in their folder. */
const LEAST_BYTES = 4096;
const BLOCK_BYTES = 512;
const NAMES_AT_ONCE = 256;
/** Five milliseconds' work; on a slow disk, or a machine that has much else to do, fewer names, so that nobody waits long. */
const MOST_NAMES = 1000;
const MOST_MS = 20;
/** More folders than anybody needs, and no more than fit well into memory. */
const MOST_WAITING = 200_000;

/**
 * Adds up what folders take of the disk, a little at a time: the kernel answers from memory, so that asking it directly costs a tenth
 * of what a thread for each file does. Of a file counts what it takes or what it claims to hold, whichever is more; one with
 * several names counts once, links are not followed, and what goes away meanwhile is no matter.
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

  /** Looks on for a moment. Undefined while there is more to see; true as soon as it is more than may be. */
  advance(): boolean | undefined {
    const end = performance.now() + MOST_MS;
    for (let seen = 0; seen < MOST_NAMES && performance.now() < end; seen += 1) {
      if (!this.#isOver() && this.#step()) continue;
      this.close();
      return this.#isOver();
    }
    return undefined;
  }

  /** For one that is not looked at to its end. */
  close(): void {
    this.#open?.dir.closeSync();
    this.#open = undefined;
  }

  #isOver(): boolean {
    return this.#bytes > this.#maxBytes || this.#waiting.length > MOST_WAITING;
  }

  /** One name, or one folder more; false when there is none. */
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
    this.#bytes += Math.max(stat.size, stat.blocks * BLOCK_BYTES, LEAST_BYTES);
    return stat;
  }

  #isNew(stat: Stats): boolean {
    if (stat.nlink < 2 || stat.isDirectory()) return true;
    if (this.#linked.has(stat.ino)) return false;
    this.#linked.add(stat.ino);
    return true;
  }

  /** What is gone, or not ours to see, takes nothing; below a path that is too long to be asked for there may be anything. */
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
