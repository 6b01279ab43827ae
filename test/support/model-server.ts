import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MODEL_INTERFACES, send } from "./model-interfaces.ts";
import type { ModelInterface, ModelTurn } from "./model-interfaces.ts";

/** What the model does next: it says words, which end the turn, or has the agent run a shell command or write a file. */
export type ModelStep =
  | ModelTurn
  /** Answers with this status, headers and body instead. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Sends half an answer and closes the connection. */
  | { readonly cut: true }
  /** Answers nothing until `release` is called; then the next step follows. */
  | { readonly hang: true };

export interface ModelRequest {
  /** The task whose script answers it. */
  readonly task: string | undefined;
  readonly input: readonly unknown[];
  readonly text: string;
  /** The program asked for a title or the like, which is no part of a script. */
  readonly isAside: boolean;
}

/**
 * A model that follows a script. It speaks the Responses interface (codex), Anthropic's messages (claude), chat completions (opencode) and
 * Gemini's (gemini). The task is the one whose name its prompt holds.
 */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  readonly #scripts = new Map<string, ModelStep[]>();
  readonly #server: Server;
  readonly #held: (() => void)[] = [];
  #count = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    model.#server.listen(0, "127.0.0.1");
    await once(model.#server, "listening");
    return model;
  }

  /** Of the kind that clients of the Responses interface and of chat completions call `base_url`. */
  get url(): string {
    return `${this.origin}/v1`;
  }

  /** claude and gemini are told this one. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Each request of the task takes one step; the last one is repeated. */
  script(task: string, ...steps: readonly ModelStep[]): void {
    this.#scripts.set(task, [...steps]);
  }

  requestsOf(task: string): readonly ModelRequest[] {
    return this.requests.filter((request) => request.task === task && !request.isAside);
  }

  get hanging(): number {
    return this.#held.length;
  }

  release(): void {
    for (const goOn of this.#held.splice(0)) goOn();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const { pathname } = new URL(request.url ?? "/", this.origin);
    const spoken = MODEL_INTERFACES.find(({ path }) => path.test(pathname));
    if (request.method !== "POST" || spoken === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body: unknown = JSON.parse(text);
    const task = [...this.#scripts.keys()].find((name) => text.includes(`Task ${name} (`));
    const isAside = spoken.isAside(body);
    this.requests.push({ task, input: spoken.conversation(body), text, isAside });
    const answer = { spoken, response };
    const step = isAside ? ASIDE : this.#next(task);
    if ("hang" in step) this.#held.push(() => this.#play(this.#next(task), answer));
    else this.#play(step, answer);
  }

  #next(task: string | undefined): ModelStep {
    const steps = this.#scripts.get(task ?? "") ?? [];
    return (steps.length > 1 ? steps.shift() : steps[0]) ?? { say: "There is no script for this." };
  }

  #play(step: ModelStep, { spoken, response }: Answer): void {
    if ("hang" in step) throw new Error("a script hangs twice in a row");
    if ("status" in step) {
      response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
      response.end(JSON.stringify(step.body ?? {}));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if ("cut" in step) {
      send(response, spoken.begun);
      setImmediate(() => response.destroy());
      return;
    }
    this.#count += 1;
    spoken.play(step, response, `r${this.#count}`);
  }
}

const ASIDE: ModelStep = { say: "A title" };

interface Answer {
  readonly spoken: ModelInterface;
  readonly response: ServerResponse;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
