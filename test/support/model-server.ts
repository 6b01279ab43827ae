import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model says next: words, which end the turn, or a shell command for the agent to run. */
export type ModelStep =
  | { readonly say: string }
  | { readonly shell: string }
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
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 107,
};

/** A model that follows a script, spoken to by the Responses protocol. The task is the one whose name its prompt holds. */
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

  /** Of the kind that clients call `base_url`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Each request of the task takes one step; the last one is repeated. */
  script(task: string, ...steps: readonly ModelStep[]): void {
    this.#scripts.set(task, [...steps]);
  }

  requestsOf(task: string): readonly ModelRequest[] {
    return this.requests.filter((request) => request.task === task);
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
    if (request.method !== "POST" || request.url !== "/v1/responses") {
      response.writeHead(404).end();
      return;
    }
    const { input = [] } = JSON.parse(text) as { readonly input?: readonly unknown[] };
    const task = [...this.#scripts.keys()].find((name) => text.includes(`Task ${name} (`));
    this.requests.push({ task, input, text });
    const step = this.#next(task);
    if ("hang" in step) this.#held.push(() => this.#play(this.#next(task), response));
    else this.#play(step, response);
  }

  #next(task: string | undefined): ModelStep {
    const steps = this.#scripts.get(task ?? "") ?? [];
    return (steps.length > 1 ? steps.shift() : steps[0]) ?? { say: "There is no script for this." };
  }

  #play(step: ModelStep, response: ServerResponse): void {
    if ("hang" in step) throw new Error("a script hangs twice in a row");
    if ("status" in step) {
      response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
      response.end(JSON.stringify(step.body ?? {}));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if ("cut" in step) {
      response.write(`data: {"type":"response.created","response":{}}\n\n`);
      setImmediate(() => response.destroy());
      return;
    }
    this.#count += 1;
    const id = `r${this.#count}`;
    const item = "say" in step ? message(step.say) : shellCall(step.shell, id);
    send(response, { type: "response.output_item.done", item });
    send(response, { type: "response.completed", response: { id, usage: USAGE } });
    response.end();
  }
}

function message(text: string): unknown {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

function shellCall(cmd: string, id: string): unknown {
  const args = JSON.stringify({ cmd });
  return { type: "function_call", call_id: `call-${id}`, name: "exec_command", arguments: args };
}

function send(response: ServerResponse, event: Readonly<Record<string, unknown>>): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
