import type { ServerResponse } from "node:http";
import { valueAt } from "../../src/runner/presets/event.ts";

/** What the model says or does in a turn that goes well. */
export type ModelTurn =
  | { readonly say: string }
  | { readonly shell: string }
  /** The agent writes a file with its own tool, which programs allow where a shell would need a person's word. */
  | { readonly write: string; readonly text: string };

/** One of the interfaces that agent programs speak to their models. */
export interface ModelInterface {
  readonly path: RegExp;
  /** The conversation as the program sent it. */
  conversation(body: unknown): readonly unknown[];
  /** Programs also ask for titles and the like: such a request takes no step of a script. */
  isAside(body: unknown): boolean;
  /** It is what a request that was cut off has received. */
  readonly begun: unknown;
  play(turn: ModelTurn, response: ServerResponse, id: string): void;
}

type Input = Readonly<Record<string, unknown>>;

/** The tools of a program, and what they are told. */
interface Tools {
  shell(command: string): { readonly name: string; readonly input: Input };
  write(path: string, text: string): { readonly name: string; readonly input: Input };
}

const RESPONSES: ModelInterface = {
  path: /^\/v1\/responses$/,
  conversation: (body) => listAt(body, "input"),
  isAside: () => false,
  begun: { type: "response.created", response: {} },
  play: (turn, response, id) => {
    const item = "say" in turn ? message(turn.say) : functionCall(turn, id);
    send(response, { type: "response.output_item.done", item });
    send(response, { type: "response.completed", response: { id, usage: RESPONSES_USAGE } });
    response.end();
  },
};

const RESPONSES_USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 107,
};

function message(text: string): unknown {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

function functionCall(turn: Exclude<ModelTurn, { say: string }>, id: string): unknown {
  const { name, input } = callOf(turn, {
    shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
    write: (path, text) => ({
      name: "exec_command",
      input: { cmd: `mkdir -p "$(dirname '${path}')" && printf %s '${text}' > '${path}'` },
    }),
  });
  const args = JSON.stringify(input);
  return { type: "function_call", call_id: `call-${id}`, name, arguments: args };
}

const MESSAGES: ModelInterface = {
  path: /^\/v1\/messages$/,
  conversation: (body) => listAt(body, "messages"),
  isAside: (body) => listAt(body, "tools").length === 0,
  begun: { type: "message_start", message: { id: "begun", type: "message", role: "assistant" } },
  play: (turn, response, id) => {
    const named = (event: Input): void => {
      response.write(`event: ${String(event["type"])}\n`);
      send(response, event);
    };
    const usage = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 1 };
    const empty = { model: "scripted", content: [], stop_reason: null, stop_sequence: null, usage };
    named({
      type: "message_start",
      message: { id: `msg_${id}`, type: "message", role: "assistant", ...empty },
    });
    const { block, delta, stopReason } = claudeBlock(turn, id);
    named({ type: "content_block_start", index: 0, content_block: block });
    named({ type: "content_block_delta", index: 0, delta });
    named({ type: "content_block_stop", index: 0 });
    const stopped = { stop_reason: stopReason, stop_sequence: null };
    named({ type: "message_delta", delta: stopped, usage: { output_tokens: 7 } });
    named({ type: "message_stop" });
    response.end();
  },
};

const CLAUDE_TOOLS: Tools = {
  shell: (command) => ({ name: "Bash", input: { command, description: "as scripted" } }),
  write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
};

function claudeBlock(
  turn: ModelTurn,
  id: string,
): { readonly block: unknown; readonly delta: unknown; readonly stopReason: string } {
  if ("say" in turn) {
    const delta = { type: "text_delta", text: turn.say };
    return { block: { type: "text", text: "" }, delta, stopReason: "end_turn" };
  }
  const { name, input } = callOf(turn, CLAUDE_TOOLS);
  return {
    block: { type: "tool_use", id: `toolu_${id}`, name, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    stopReason: "tool_use",
  };
}

const CHAT_COMPLETIONS: ModelInterface = {
  path: /^\/v1\/chat\/completions$/,
  conversation: (body) => listAt(body, "messages"),
  isAside: (body) => listAt(body, "tools").length === 0,
  begun: { id: "begun", choices: [{ index: 0, delta: { role: "assistant" } }] },
  play: (turn, response, id) => {
    const chunk = (choices: readonly unknown[], more: Input = {}): void =>
      send(response, { id, object: "chat.completion.chunk", model: "scripted", choices, ...more });
    chunk([{ index: 0, delta: { role: "assistant" }, finish_reason: null }]);
    chunk([{ index: 0, delta: chatDelta(turn, id), finish_reason: null }]);
    const reason = "say" in turn ? "stop" : "tool_calls";
    chunk([{ index: 0, delta: {}, finish_reason: reason }]);
    const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
    chunk([], { usage });
    response.end("data: [DONE]\n\n");
  },
};

const OPENCODE_TOOLS: Tools = {
  shell: (command) => ({ name: "bash", input: { command, description: "as scripted" } }),
  write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
};

function chatDelta(turn: ModelTurn, id: string): unknown {
  if ("say" in turn) return { content: turn.say };
  const { name, input } = callOf(turn, OPENCODE_TOOLS);
  const call = { name, arguments: JSON.stringify(input) };
  return { tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }] };
}

const GEMINI: ModelInterface = {
  path: /^\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent$/,
  conversation: (body) => listAt(body, "contents"),
  isAside: (body) => listAt(body, "tools").length === 0,
  begun: { candidates: [{ content: { role: "model", parts: [{ text: "" }] } }] },
  play: (turn, response) => {
    const parts = [geminiPart(turn)];
    send(response, {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 7, totalTokenCount: 107 },
    });
    response.end();
  },
};

const GEMINI_TOOLS: Tools = {
  shell: (command) => ({
    name: "run_shell_command",
    input: { command, description: "as scripted" },
  }),
  write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
};

function geminiPart(turn: ModelTurn): unknown {
  if ("say" in turn) return { text: turn.say };
  const { name, input } = callOf(turn, GEMINI_TOOLS);
  return { functionCall: { name, args: input } };
}

export const MODEL_INTERFACES: readonly ModelInterface[] = [
  RESPONSES,
  MESSAGES,
  CHAT_COMPLETIONS,
  GEMINI,
];

function callOf(
  turn: Exclude<ModelTurn, { say: string }>,
  tools: Tools,
): { readonly name: string; readonly input: Input } {
  return "shell" in turn ? tools.shell(turn.shell) : tools.write(turn.write, turn.text);
}

export function send(response: ServerResponse, event: unknown): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

function listAt(body: unknown, name: string): readonly unknown[] {
  const found = valueAt(body, name);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}
