import type { Instant } from "../../domain/ids.ts";
import type { Usage } from "../../domain/usage.ts";
import type { AgentReport } from "../agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { eventProgress } from "./output-parser.ts";
import type { OutputParser } from "./output-parser.ts";
import { limitIn } from "./provider-limit.ts";

/** `opencode run --format json`. There is no last word of its own: a last step that stopped, and no error. */
export const OPENCODE_PARSER: OutputParser = {
  tellsEnd: true,
  read: readOpencode,
  isProgress: eventProgress((event) => event.type === "error"),
};

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

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
  return { ...report, terminal: "bad", error: errorText(words), limit: limitIn(facts, at) };
}
