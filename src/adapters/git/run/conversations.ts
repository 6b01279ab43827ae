import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import type { RepoName } from "../../../domain/ids.ts";
import { gitFailed, type GitCall } from "./run-git.ts";

/** A program is a git command that answers one question after the other. */
export interface GitProgram {
  readonly args: readonly string[];
  /** Returns the length of the first answer in the output, or undefined while that answer is not whole. */
  readonly lengthOf: (output: Buffer) => number | undefined;
}

/** A talk is the conversation with one command about one mirror. */
interface Talk {
  readonly conversation: Conversation;
  readonly mirror: string;
  readonly idle: NodeJS.Timeout;
}

// This is longer than the pauses within the work on one task.
const IDLE_MS = 10_000;
// This gives a few to each repository that is worked on at a time. One costs some megabytes.
const MAX_TALKS = 32;

interface Places {
  readonly mirror: (repo: RepoName) => string;
  readonly env: (repo: RepoName) => Readonly<Record<string, string>>;
}

/** Keeps gits running: one for each command and mirror that somebody asked lately. */
export class Conversations {
  readonly #places: Places;
  /** The talk that was used last is at the end. */
  readonly #talks = new Map<string, Talk>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** Asks once more when the first attempt fails, so a question must be safe to repeat. */
  async ask(repo: RepoName, program: GitProgram, question: string): Promise<Buffer> {
    const ask = async (): Promise<Buffer> => (await this.#talk(repo, program)).ask(question);
    try {
      return await ask().catch(ask);
    } catch (cause) {
      throw gitFailed(program, cause instanceof Error ? cause.message : String(cause));
    }
  }

  end(): void {
    for (const key of [...this.#talks.keys()]) this.#hangUp(key);
  }

  async #talk(repo: RepoName, program: GitProgram): Promise<Conversation> {
    const key = `${repo} ${program.args.join(" ")}`;
    const mirror = await identityOf(this.#places.mirror(repo));
    let talk = this.#talks.get(key);
    if (talk?.mirror !== mirror || talk.conversation.isOver) {
      this.#hangUp(key);
      const place = { cwd: this.#places.mirror(repo), env: this.#places.env(repo) };
      const idle = setTimeout(() => this.#hangUp(key), IDLE_MS).unref();
      talk = { conversation: new Conversation(program, place), mirror, idle };
    }
    talk.idle.refresh();
    this.#talks.delete(key);
    this.#talks.set(key, talk);
    const [longestIdle] = this.#talks.keys();
    if (this.#talks.size > MAX_TALKS && longestIdle !== undefined) this.#hangUp(longestIdle);
    return talk.conversation;
  }

  #hangUp(key: string): void {
    const talk = this.#talks.get(key);
    clearTimeout(talk?.idle);
    talk?.conversation.end();
    this.#talks.delete(key);
  }
}

/** Measures answers of which only the last words are known. */
export function lengthUpTo(words: string): GitProgram["lengthOf"] {
  return (output) => {
    const at = output.indexOf(words);
    return at < 0 ? undefined : at + words.length;
  };
}

/** Tells a mirror that was made anew from the old one: a git that still runs would answer from the old files that it has open. */
async function identityOf(mirror: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(mirror);
  return `${ino} ${birthtimeMs}`;
}

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (cause: Error) => void;
}

/**
 * One process answers many questions, because starting it costs far more than an answer. Answers come in the order of the questions.
 * It keeps our process alive only while somebody waits for an answer. Its input ends with our process, so no crash leaves it behind.
 */
class Conversation {
  readonly #program: GitProgram;
  readonly #child;
  #waiting: Waiting[] = [];
  #output = Buffer.alloc(0);
  #isOver = false;

  constructor(program: GitProgram, { cwd, env }: Pick<GitCall, "cwd" | "env">) {
    this.#program = program;
    this.#child = spawn("git", program.args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const { stdin, stdout } = this.#child;
    for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe.unref();
    this.#child.unref();
    // Writing to a git that is gone fails here; its end, which we hear of as well, tells more.
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

  /** Lets git answer the questions that were asked, then end. */
  end(): void {
    this.#isOver = true;
    this.#child.stdin.end();
  }

  #hear(chunk: Buffer): void {
    this.#output = Buffer.concat([this.#output, chunk]);
    let length = this.#program.lengthOf(this.#output);
    while (length !== undefined) {
      this.#waiting.shift()?.resolve(this.#output.subarray(0, length));
      this.#output = this.#output.subarray(length);
      length = this.#program.lengthOf(this.#output);
    }
    if (this.#waiting.length === 0) this.#child.unref();
  }

  #finish(cause: Error): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting) reject(cause);
    this.#waiting = [];
  }
}
