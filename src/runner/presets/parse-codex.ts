import type { Instant } from "../../domain/ids.ts";
import { NO_REPORT } from "../agent-report.ts";
import type { AgentReport } from "../agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { eventProgress } from "./output-parser.ts";
import type { OutputParser } from "./output-parser.ts";
import { limitIn } from "./provider-limit.ts";

/** `codex exec --json`. Errors of items are not failures: an unknown model alone makes one. */
export const CODEX_PARSER: OutputParser = {
  tellsEnd: true,
  read: readCodex,
  isProgress: eventProgress((event) => event.type === "error"),
};

function readCodex(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  switch (event.type) {
    case "thread.started":
      return { ...NO_REPORT, session: sessionAt(event, "thread_id") };
    case "item.completed":
      return afterItem(report, event);
    case "turn.completed":
      return {
        ...report,
        terminal: "good",
        usage: usageIn(event) ?? report.usage,
        limit: undefined,
      };
    case "turn.failed":
      return failed({ ...report, terminal: "bad" }, textAt(event, "error", "message"), at);
    case "error":
      return failed(report, textAt(event, "message"), at);
    default:
      return report;
  }
}

function afterItem(report: AgentReport, event: AgentEvent): AgentReport {
  if (textAt(event, "item", "type") !== "agent_message") return report;
  const lastMessage = messageAt(event, "item", "text") ?? report.lastMessage;
  return { ...report, lastMessage, limit: undefined };
}

function failed(report: AgentReport, message: string | undefined, at: Instant): AgentReport {
  if (message === undefined) return report;
  return { ...report, error: errorText(message), limit: limitIn(message, at) ?? report.limit };
}

function usageIn(event: AgentEvent): AgentReport["usage"] {
  if (valueAt(event, "usage") === undefined) return undefined;
  return {
    inputTokens: numberAt(event, "usage", "input_tokens") ?? 0,
    outputTokens: numberAt(event, "usage", "output_tokens") ?? 0,
    cachedTokens: numberAt(event, "usage", "cached_input_tokens") ?? 0,
    costUsd: undefined,
  };
}
