import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { GitCall } from "./run-git.ts";

/** A git command that answers one question after the other. */
export interface Helper {
  readonly args: readonly string[];
  /** Of the first answer in the output; undefined while it is not whole. */
  readonly lengthOf: (output: Buffer) => number | undefined;
}

/** For answers of which only the last words are known. */
export function lengthUpTo(words: string): Helper["lengthOf"] {
  return (output) => {
    const at = output.indexOf(words);
    return at < 0 ? undefined : at + words.length;
  };
}

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (cause: Error) => void;
}

/**
 * One process for many questions: starting it costs far more than an answer. Answers come in the order of the questions. It keeps
 * nobody alive that does not wait for one, and its input ends with our process: no crash leaves it behind.
 */
export class Conversation {
  readonly #helper: Helper;
  readonly #child;
  #waiting: Waiting[] = [];
  #output = Buffer.alloc(0);
  #isOver = false;

  constructor(helper: Helper, { cwd, env }: Pick<GitCall, "cwd" | "env">) {
    this.#helper = helper;
    this.#child = spawn("git", helper.args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const { stdin, stdout } = this.#child;
    for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe.unref();
    this.#child.unref();
    // Writing to a git that is gone: its end tells more.
    stdin.on("error", () => undefined);
    stdout.on("data", (chunk: Buffer) => this.#hear(chunk));
    this.#child.on("error", (cause) => this.#finish(cause));
    this.#child.on("close", () => this.#finish(new Error("git ended before it answered")));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  ask(question: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.ref();
      this.#child.stdin.write(question);
    });
  }

  /** Whoever has asked is still answered. */
  end(): void {
    this.#isOver = true;
    this.#child.stdin.end();
  }

  #hear(chunk: Buffer): void {
    this.#output = Buffer.concat([this.#output, chunk]);
    let length = this.#helper.lengthOf(this.#output);
    while (length !== undefined) {
      this.#waiting.shift()?.resolve(this.#output.subarray(0, length));
      this.#output = this.#output.subarray(length);
      length = this.#helper.lengthOf(this.#output);
    }
    if (this.#waiting.length === 0) this.#child.unref();
  }

  #finish(cause: Error): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting) reject(cause);
    this.#waiting = [];
  }
}
