import { numberAt, textAt, valueAt } from "../../runner/presets/event.ts";
import type { AgentEvent } from "../../runner/presets/event.ts";

/** An agent says, runs, uses or reports this. `more` is a piece of words that others follow. */
export interface Deed {
  readonly verb: "says" | "thinks" | "runs" | "uses" | "fails" | "ends" | "starts";
  readonly words: string;
  readonly more?: true;
}

/** Returns what one event says to people, or undefined when it is none that the preset's program is known to print. */
export type Tell = (event: AgentEvent) => readonly Deed[] | undefined;

/** Tells the events of the presets whose programs print them; the output of the others is read as it is. */
export const TELLERS: Readonly<Record<string, Tell>> = {
  claude: tellClaude,
  codex: tellCodex,
  gemini: tellGemini,
  opencode: tellOpencode,
};

function tellClaude(event: AgentEvent): readonly Deed[] | undefined {
  switch (event.type) {
    case "system":
      return claudeSystem(event);
    case "assistant":
      return listAt(event, "message", "content").flatMap(claudePart);
    case "user":
      return listAt(event, "message", "content").flatMap(claudeResult);
    case "rate_limit_event":
      return [];
    case "result":
      return valueAt(event, "is_error") === true
        ? deed("fails", textAt(event, "result") ?? textAt(event, "subtype"))
        : deed("ends", costOf(numberAt(event, "total_cost_usd")));
    default:
      return undefined;
  }
}

function claudeSystem(event: AgentEvent): readonly Deed[] {
  const subtype = textAt(event, "subtype");
  if (subtype === "init") return starts(textAt(event, "model"));
  return subtype === "api_retry" ? deed("fails", "the provider did not answer; it asks again") : [];
}

function claudePart(part: unknown): readonly Deed[] {
  switch (textAt(part, "type") ?? "") {
    case "text":
      return deed("says", textAt(part, "text"));
    case "thinking":
      return deed("thinks", textAt(part, "thinking"));
    case "tool_use":
      return tool(textAt(part, "name"), valueAt(part, "input"));
    default:
      return [];
  }
}

/** The answer of a tool is left out, unless it is an error. */
function claudeResult(part: unknown): readonly Deed[] {
  if (valueAt(part, "is_error") !== true) return [];
  const pieces = listAt(part, "content").flatMap((one) => textAt(one, "text") ?? []);
  return deed("fails", textAt(part, "content") ?? pieces.join(" "));
}

function tellCodex(event: AgentEvent): readonly Deed[] | undefined {
  switch (event.type) {
    case "thread.started":
      return starts(undefined);
    case "turn.started":
    case "item.updated":
      return [];
    case "item.started":
      return textAt(event, "item", "type") === "command_execution"
        ? deed("runs", textAt(event, "item", "command"))
        : [];
    case "item.completed":
      return codexItem(valueAt(event, "item"));
    case "turn.completed":
      return deed("ends", "the turn is complete");
    case "turn.failed":
      return deed("fails", textAt(event, "error", "message"));
    case "error":
      return deed("fails", textAt(event, "message"));
    default:
      return undefined;
  }
}

function codexItem(item: unknown): readonly Deed[] {
  switch (textAt(item, "type") ?? "") {
    case "agent_message":
      return deed("says", textAt(item, "text"));
    case "reasoning":
      return deed("thinks", textAt(item, "text"));
    case "command_execution":
      return exit(numberAt(item, "exit_code"), textAt(item, "aggregated_output"));
    case "file_change": {
      const paths = listAt(item, "changes").flatMap((change) => textAt(change, "path") ?? []);
      return deed("uses", `edit ${paths.join(", ")}`);
    }
    case "mcp_tool_call":
      return tool(textAt(item, "tool"), valueAt(item, "arguments"));
    case "web_search":
      return deed("uses", `search ${textAt(item, "query") ?? ""}`);
    case "error":
      return deed("fails", textAt(item, "message"));
    default:
      return [];
  }
}

function tellGemini(event: AgentEvent): readonly Deed[] | undefined {
  switch (event.type) {
    case "init":
      return starts(textAt(event, "model"));
    case "message":
      return textAt(event, "role") === "assistant" ? geminiWords(event) : [];
    case "tool_use":
      return tool(textAt(event, "tool_name"), valueAt(event, "parameters"));
    case "tool_result":
      return textAt(event, "status") === "error"
        ? deed("fails", textAt(event, "error", "message") ?? textAt(event, "output"))
        : [];
    case "error":
      return deed("fails", textAt(event, "message"));
    case "result":
      return textAt(event, "status") === "success"
        ? deed("ends", "the work is done")
        : deed("fails", textAt(event, "error", "message"));
    default:
      return undefined;
  }
}

function geminiWords(event: AgentEvent): readonly Deed[] {
  const words = deed("says", textAt(event, "content"));
  return valueAt(event, "delta") === true
    ? words.map((one) => ({ ...one, more: true as const }))
    : words;
}

function tellOpencode(event: AgentEvent): readonly Deed[] | undefined {
  switch (event.type) {
    case "step_start":
    case "step_finish":
      return [];
    case "text":
      return deed("says", textAt(event, "part", "text"));
    case "reasoning":
      return deed("thinks", textAt(event, "part", "text"));
    case "tool_use":
      return opencodeTool(textAt(event, "part", "tool"), valueAt(event, "part", "state"));
    case "error":
      return deed(
        "fails",
        textAt(event, "error", "data", "message") ?? textAt(event, "error", "name"),
      );
    default:
      return undefined;
  }
}

function opencodeTool(name: string | undefined, state: unknown): readonly Deed[] {
  return [
    ...tool(name, valueAt(state, "input")),
    ...exit(numberAt(state, "metadata", "exit"), textAt(state, "output")),
    ...deed("fails", textAt(state, "error")),
  ];
}

/** The end of a command's output says why it failed. */
const OUTPUT_TAIL = 300;

function exit(code = 0, output = ""): readonly Deed[] {
  return code === 0 ? [] : deed("fails", `exit code ${code}: ${output.slice(-OUTPUT_TAIL)}`);
}

/** One of these says what a tool was used for. */
const TELLING = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url"];
const SHELLS = /^(?:bash|shell|run_shell_command|exec_command)$/i;

function tool(name: string | undefined, input: unknown): readonly Deed[] {
  if (name === undefined) return [];
  const about = TELLING.flatMap((key) => textAt(input, key) ?? [])[0];
  if (SHELLS.test(name) && about !== undefined) return deed("runs", about);
  return deed("uses", about === undefined ? name : `${name} ${about}`);
}

function starts(model: string | undefined): readonly Deed[] {
  return deed("starts", model === undefined ? "a session" : `a session with ${model}`);
}

function costOf(usd: number | undefined): string {
  return usd === undefined ? "the work is done" : `the work is done, for $${usd.toFixed(2)}`;
}

function deed(verb: Deed["verb"], words: string | undefined): readonly Deed[] {
  return words === undefined || words.trim() === "" ? [] : [{ verb, words }];
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
