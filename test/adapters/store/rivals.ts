import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Errand } from "./children/rivals.ts";

const PROCESSES = 4;
const EACH = 4;
export const RIVALS = PROCESSES * EACH;

/** Sixteen stores in four processes that try the same at once. */
export class Rivals {
  readonly #children: readonly {
    readonly process: ChildProcessByStdio<Writable, Readable, null>;
    readonly lines: AsyncIterator<string>;
  }[];

  constructor(compiled: string, place: string) {
    const script = join(compiled, "rivals.mjs");
    this.#children = Array.from({ length: PROCESSES }, (_, i) => {
      const args = [script, place, String(i * EACH), String(EACH)];
      const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return { process: child, lines };
    });
  }

  async ready(): Promise<void> {
    await this.#answers();
  }

  async try(errand: Errand): Promise<readonly string[]> {
    for (const child of this.#children) child.process.stdin.write(`${JSON.stringify(errand)}\n`);
    return this.#answers();
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      const ended = once(child.process, "exit");
      child.process.stdin.end();
      await ended;
    }
  }

  async #answers(): Promise<readonly string[]> {
    const lines = await Promise.all(this.#children.map(({ lines }) => lines.next()));
    return lines.flatMap((line) => {
      if (line.done === true) throw new Error("a rival ended by itself");
      return JSON.parse(line.value) as string[];
    });
  }
}
