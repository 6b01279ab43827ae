import type { Instant } from "../../domain/ids.ts";
import type { Usage } from "../../domain/run.ts";
import { eventProgress } from "./agent-report.ts";
import type { AgentReport, OutputParser } from "./agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { isLoginRefusal } from "./login-refusal.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";
import { limitIn } from "./provider-limit.ts";

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

/** Reads `opencode run --format json`. It prints no last word: a good end is a last step that stopped, and no error. */
const OPENCODE_PARSER: OutputParser = {
  tellsEnd: true,
  read: readOpencode,
  isProgress: eventProgress((event) => event.type === "error"),
};

export const OPENCODE: Preset = {
  ...PLAIN,
  program: "opencode",
  args: ["run", "--pure", "--format", "json", "--auto"],
  model: ["-m", "{model}"],
  resume: ["-s", "{session}"],
  sessions: {
    folder: ".local/share/opencode",
    // All conversations are in one database.
    isFile: (name) => name === "opencode.db",
    // Elsewhere it goes on without a word, and never ends.
    byFolder: true,
    unknown: /^Error: Session not found/,
  },
  env: {
    XDG_DATA_HOME: "{home}/.local/share",
    XDG_CONFIG_HOME: "{home}/.config",
    XDG_STATE_HOME: "{home}/.local/state",
    XDG_CACHE_HOME: "{home}/.cache",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  },
  parser: OPENCODE_PARSER,
  needsSandbox:
    "opencode runs .opencode/plugin/*.js of the repository when it starts, and nothing turns that off",
};

function readOpencode(before: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const report = { ...before, session: sessionAt(event, "sessionID") ?? before.session };
  switch (event.type) {
    case "step_start":
      return { ...report, terminal: report.terminal === "bad" ? "bad" : "none", limit: undefined };
    case "text":
      return { ...report, lastMessage: messageAt(event, "part", "text") ?? report.lastMessage };
    case "step_finish":
      return afterStep(report, event);
    case "error":
      return failed(report, event, at);
    default:
      return report;
  }
}

function afterStep(report: AgentReport, event: AgentEvent): AgentReport {
  const stopped = textAt(event, "part", "reason") === "stop";
  const usage = sumOf(report.usage ?? NOTHING, valueAt(event, "part"));
  return {
    ...report,
    usage,
    terminal: stopped && report.terminal !== "bad" ? "good" : report.terminal,
  };
}

function sumOf(sum: Usage, part: unknown): Usage {
  const cached = numberAt(part, "tokens", "cache", "read") ?? 0;
  return {
    inputTokens: sum.inputTokens + (numberAt(part, "tokens", "input") ?? 0) + cached,
    outputTokens: sum.outputTokens + (numberAt(part, "tokens", "output") ?? 0),
    cachedTokens: sum.cachedTokens + cached,
    costUsd: (sum.costUsd ?? 0) + (numberAt(part, "cost") ?? 0),
  };
}

function failed(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const words = textAt(event, "error", "data", "message") ?? textAt(event, "error", "name") ?? "";
  const status = numberAt(event, "error", "data", "statusCode") ?? "";
  const wait = textAt(event, "error", "data", "responseHeaders", "retry-after");
  const facts = `${words} ${status}${wait === undefined ? "" : ` retry-after: ${wait}`}`;
  const loggedOut = status === 401 || isAuthError(event) || isLoginRefusal(words);
  const error = errorText(words);
  return { ...report, terminal: "bad", error, limit: limitIn(facts, at), loggedOut };
}

function isAuthError(event: AgentEvent): boolean {
  return textAt(event, "error", "name") === "ProviderAuthError";
}
