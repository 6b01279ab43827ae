import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface GitRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  /** These variables are laid over those of this process; undefined takes a variable away. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string | Uint8Array;
}

export interface GitOutput {
  /** It is null when a signal ended git. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

type Reply =
  | { readonly id: number; readonly problem: string }
  | ({ readonly id: number; readonly problem?: undefined } & GitOutput);

interface Waiting {
  readonly resolve: (output: GitOutput) => void;
  readonly reject: (error: Error) => void;
}

const RUNNER = fileURLToPath(new URL("git-runner.mjs", import.meta.url));

/** There is one runner for the whole process. It starts when it is first needed and ends with the process. */
let runner: Runner | undefined;

/** Runs git by a small process that stays. This process is large, and starting a program takes as long as copying the process that starts it. */
export function runApart(request: GitRequest): Promise<GitOutput> {
  runner ??= new Runner(() => (runner = undefined));
  return runner.ask(request);
}

class Runner {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(onEnd: () => void) {
    this.#process = fork(RUNNER, { serialization: "advanced", execArgv: [] });
    this.#process.unref();
    this.#process.channel?.unref();
    this.#process.on("message", (reply) => {
      this.#hear(reply as Reply);
    });
    const end = (error: Error): void => {
      onEnd();
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    this.#process.on("error", end);
    this.#process.on("exit", () => {
      end(new Error("the process that runs git ended"));
    });
  }

  ask(request: GitRequest): Promise<GitOutput> {
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.channel?.ref();
      this.#process.send({ ...request, id });
    });
  }

  #hear(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#process.channel?.unref();
    if (reply.problem !== undefined) return waiting?.reject(new Error(reply.problem));
    const { exitCode, stdout, stderr } = reply;
    waiting?.resolve({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
  }
}
