import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { AgentReport } from "../agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { eventProgress } from "./output-parser.ts";
import type { OutputParser } from "./output-parser.ts";
import { limitIn } from "./provider-limit.ts";

/** `claude -p --output-format stream-json`. The last word is `is_error`: `subtype` says success even when the provider failed. */
export const CLAUDE_PARSER: OutputParser = {
  tellsEnd: true,
  read: readClaude,
  isProgress: eventProgress(
    (event) => event.type === "system" && textAt(event, "subtype") === "api_retry",
  ),
};

function readClaude(before: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const report = { ...before, session: sessionAt(event, "session_id") ?? before.session };
  switch (event.type) {
    case "assistant":
      return { ...report, limit: undefined };
    case "rate_limit_event":
      return { ...report, limit: toldLimit(event) ?? report.limit };
    case "result":
      return ended(report, event, at);
    default:
      return report;
  }
}

function toldLimit(event: AgentEvent): AgentReport["limit"] {
  if (textAt(event, "rate_limit_info", "status") !== "rejected") return undefined;
  const seconds = numberAt(event, "rate_limit_info", "resetsAt");
  return { until: seconds === undefined ? undefined : instant(seconds * 1000) };
}

function ended(report: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const words = textAt(event, "result") ?? textAt(event, "subtype") ?? "";
  const told = { ...report, usage: usageIn(event) ?? report.usage };
  if (valueAt(event, "is_error") === false) {
    return { ...told, terminal: "good", lastMessage: messageAt(event, "result"), limit: undefined };
  }
  const refused = numberAt(event, "api_error_status") === 429 ? { until: undefined } : undefined;
  const limit = report.limit ?? limitIn(words, at) ?? refused;
  return { ...told, terminal: "bad", error: errorText(words), limit };
}

function usageIn(event: AgentEvent): AgentReport["usage"] {
  const costUsd = numberAt(event, "total_cost_usd");
  if (valueAt(event, "usage") === undefined && costUsd === undefined) return undefined;
  const of = (name: string): number => numberAt(event, "usage", name) ?? 0;
  const cachedTokens = of("cache_read_input_tokens");
  const written = of("cache_creation_input_tokens");
  return {
    inputTokens: of("input_tokens") + cachedTokens + written,
    outputTokens: of("output_tokens"),
    cachedTokens,
    costUsd,
  };
}
