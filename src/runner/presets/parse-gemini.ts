import type { Instant } from "../../domain/ids.ts";
import { NO_REPORT } from "../agent-report.ts";
import type { AgentReport } from "../agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { eventProgress } from "./output-parser.ts";
import type { OutputParser } from "./output-parser.ts";
import { limitIn } from "./provider-limit.ts";

/** `gemini --output-format stream-json`. */
export const GEMINI_PARSER: OutputParser = {
  tellsEnd: true,
  read: readGemini,
  isProgress: eventProgress((event) => event.type === "error"),
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

/** Pieces of one message come as several events, marked as such. */
function afterMessage(report: AgentReport, event: AgentEvent): AgentReport {
  if (textAt(event, "role") !== "assistant") return report;
  const piece = textAt(event, "content") ?? "";
  const before = valueAt(event, "delta") === true ? (report.lastMessage ?? "") : "";
  const lastMessage = messageAt({ whole: before + piece }, "whole") ?? report.lastMessage;
  return { ...report, lastMessage, limit: undefined };
}

function ended(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const told = { ...report, usage: usageIn(event) ?? report.usage };
  if (textAt(event, "status") === "success") return { ...told, terminal: "good", limit: undefined };
  return failed({ ...told, terminal: "bad" }, textAt(event, "error", "message"), at);
}

function failed(report: AgentReport, message: string | undefined, at: Instant): AgentReport {
  if (message === undefined) return report;
  return { ...report, error: errorText(message), limit: limitIn(message, at) ?? report.limit };
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
