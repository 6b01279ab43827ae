import type { Instant } from "../../domain/ids.ts";
import { NO_REPORT, eventProgress } from "./agent-report.ts";
import type { AgentReport, OutputParser } from "./agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { isLoginRefusal } from "./login-refusal.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";
import { limitIn } from "./provider-limit.ts";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

/** Reads `gemini --output-format stream-json`. */
const GEMINI_PARSER: OutputParser = {
  tellsEnd: true,
  read: readGemini,
  isProgress: eventProgress((event) => event.type === "error"),
  // The first is its own; the other is what is left of the status 401 in an exit code.
  loggedOutCodes: [41, 145],
};

export const GEMINI: Preset = {
  ...PLAIN,
  program: "gemini",
  args: ["--output-format", "stream-json", "--skip-trust"],
  inSandbox: ["--approval-mode", "yolo"],
  withoutSandbox: ["--approval-mode", "auto_edit"],
  model: ["-m", "{model}"],
  resume: ["--resume", "{session}"],
  sessions: {
    folder: ".gemini/tmp",
    // The name has the beginning of the id.
    isFile: (name, session) => /^session-/.test(name) && name.includes(session.slice(0, 8)),
    byFolder: true,
    unknown: /^Error resuming session: /,
  },
  env: { GEMINI_CLI_HOME: "{home}" },
  files: { ".gemini/settings.json": `${JSON.stringify(SETTINGS)}\n` },
  parser: GEMINI_PARSER,
  provider: ["generativelanguage.googleapis.com"],
  keys: ["GEMINI_API_KEY"],
};

function readGemini(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  switch (event.type) {
    case "init":
      return { ...NO_REPORT, session: sessionAt(event, "session_id") };
    case "message":
      return afterMessage(report, event);
    case "error":
      return failed(report, textAt(event, "message"), at);
    case "result":
      return ended(report, event, at);
    default:
      return report;
  }
}

/** The pieces of one message come as several events, each marked as a piece. */
function afterMessage(report: AgentReport, event: AgentEvent): AgentReport {
  if (textAt(event, "role") !== "assistant") return report;
  const piece = textAt(event, "content") ?? "";
  const before = valueAt(event, "delta") === true ? (report.lastMessage ?? "") : "";
  const lastMessage = messageAt({ whole: before + piece }, "whole") ?? report.lastMessage;
  return { ...report, lastMessage, limit: undefined, error: undefined, loggedOut: false };
}

function ended(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const told = { ...report, usage: usageIn(event) ?? report.usage };
  if (textAt(event, "status") === "success") return { ...told, terminal: "good", limit: undefined };
  return failed({ ...told, terminal: "bad" }, textAt(event, "error", "message"), at);
}

function failed(report: AgentReport, message: string | undefined, at: Instant): AgentReport {
  if (message === undefined) return report;
  const limit = limitIn(message, at) ?? report.limit;
  return { ...report, error: errorText(message), limit, loggedOut: isLoginRefusal(message) };
}

function usageIn(event: AgentEvent): AgentReport["usage"] {
  if (valueAt(event, "stats") === undefined) return undefined;
  return {
    inputTokens: numberAt(event, "stats", "input_tokens") ?? 0,
    outputTokens: numberAt(event, "stats", "output_tokens") ?? 0,
    cachedTokens: numberAt(event, "stats", "cached") ?? 0,
    costUsd: undefined,
  };
}
