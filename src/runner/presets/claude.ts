import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import { eventProgress } from "./agent-report.ts";
import type { AgentReport, OutputParser } from "./agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { isLoginRefusal } from "./login-refusal.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";
import { limitIn } from "./provider-limit.ts";

/** Reads `claude -p --output-format stream-json`. Only `is_error` tells a failure: `subtype` says success even when the provider failed. */
const CLAUDE_PARSER: OutputParser = {
  tellsEnd: true,
  read: readClaude,
  isProgress: eventProgress(
    (event) => event.type === "system" && textAt(event, "subtype") === "api_retry",
  ),
};

export const CLAUDE: Preset = {
  ...PLAIN,
  program: "claude",
  args: [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    // Hooks of .claude/settings.json and servers of .mcp.json would run before the first turn.
    "--setting-sources",
    "user",
    "--strict-mcp-config",
  ],
  inSandbox: ["--dangerously-skip-permissions"],
  withoutSandbox: ["--permission-mode", "acceptEdits"],
  model: ["--model", "{model}"],
  resume: ["--resume", "{session}"],
  sessions: {
    folder: ".claude/projects",
    isFile: (name, session) => name === `${session}.jsonl`,
    byFolder: true,
    unknown: /^No conversation found with session ID/,
  },
  env: {
    CLAUDE_CONFIG_DIR: "{home}/.claude",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // By default claude goes on asking for minutes after a refusal.
    CLAUDE_CODE_MAX_RETRIES: "4",
    // As root, claude refuses to work without asking unless it is told that it cannot do harm.
    IS_SANDBOX: "1",
  },
  parser: CLAUDE_PARSER,
  provider: ["api.anthropic.com"],
  keys: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
  ],
  // A file of settings may name a program that gives the key.
  ownProvider: /^--settings\b/m,
  note: "If the repository has a CLAUDE.md, read it first and follow it.",
};

function readClaude(before: AgentReport, event: AgentEvent, at: Instant): AgentReport {
  const report = { ...before, session: sessionAt(event, "session_id") ?? before.session };
  switch (event.type) {
    case "assistant":
      return afterMessage(report, event);
    case "system":
      return afterSystem(report, event);
    case "rate_limit_event":
      return { ...report, limit: toldLimit(event) ?? report.limit };
    case "result":
      return ended(report, event, at);
    default:
      return report;
  }
}

function afterMessage(report: AgentReport, event: AgentEvent): AgentReport {
  const lastMessage = saidIn(event) ?? report.lastMessage;
  return { ...report, limit: undefined, error: undefined, loggedOut: false, lastMessage };
}

/** While the program tries again, this is all that it says about why. */
function afterSystem(report: AgentReport, event: AgentEvent): AgentReport {
  if (textAt(event, "subtype") !== "api_retry") return report;
  const status = numberAt(event, "error_status");
  const words = `the provider does not answer: ${textAt(event, "error") ?? "unknown"}`;
  return { ...report, error: errorText(status === undefined ? words : `${words} (${status})`) };
}

/** The parts of one message come as several events. A call of a tool says nothing, nor does a message that the program made up itself. */
function saidIn(event: AgentEvent): string | undefined {
  if (textAt(event, "message", "model") === "<synthetic>") return undefined;
  const parts = valueAt(event, "message", "content");
  const text = Array.isArray(parts) ? parts.flatMap((part) => textAt(part, "text") ?? []) : [];
  return messageAt({ text: text.join("\n\n") }, "text");
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
    const lastMessage = messageAt(event, "result") ?? report.lastMessage;
    return { ...told, terminal: "good", lastMessage, limit: undefined };
  }
  const status = numberAt(event, "api_error_status");
  const refused = status === 429 ? { until: undefined } : undefined;
  const limit = report.limit ?? limitIn(words, at) ?? refused;
  const loggedOut = status === 401 || isLoginRefusal(words);
  return { ...told, terminal: "bad", error: errorText(words), limit, loggedOut };
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
