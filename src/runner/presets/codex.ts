import type { Instant } from "../../domain/ids.ts";
import { NO_REPORT, eventProgress } from "./agent-report.ts";
import type { AgentReport, OutputParser } from "./agent-report.ts";
import { errorText, messageAt, numberAt, sessionAt, textAt, valueAt } from "./event.ts";
import type { AgentEvent } from "./event.ts";
import { isLoginRefusal } from "./login-refusal.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";
import { limitIn } from "./provider-limit.ts";

/** Without network, the plugin and app features alone cost 5 s at the end of every run. */
const OFF = [
  "analytics.enabled=false",
  "check_for_update_on_startup=false",
  "features.plugins=false",
  "features.apps=false",
];

/** Reads `codex exec --json`. Errors of items are not failures: an unknown model alone makes one. */
const CODEX_PARSER: OutputParser = {
  tellsEnd: true,
  read: readCodex,
  isProgress: eventProgress((event) => event.type === "error"),
};

export const CODEX: Preset = {
  ...PLAIN,
  program: "codex",
  args: [
    "exec",
    "--json",
    "--color",
    "never",
    "--skip-git-repo-check",
    "-C",
    "{workspace}",
    // Given the right to write, codex trusts the repository and starts the MCP servers of its .codex/config.toml.
    "--ignore-user-config",
    "--ignore-rules",
    ...OFF.flatMap((setting) => ["-c", setting]),
  ],
  // With its own sandbox inside another one, codex does nothing and still ends with 0.
  inSandbox: ["--dangerously-bypass-approvals-and-sandbox"],
  withoutSandbox: ["-s", "workspace-write"],
  model: ["-m", "{model}"],
  fresh: ["-"],
  resume: ["resume", "{session}", "-"],
  sessions: {
    folder: ".codex/sessions",
    isFile: (name, session) => name.includes(session),
    byFolder: false,
    unknown: /no rollout found for thread id/,
  },
  env: { CODEX_HOME: "{home}/.codex" },
  // The folder must exist.
  files: { ".codex/config.toml": "" },
  parser: CODEX_PARSER,
  provider: ["api.openai.com"],
  keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  ownProvider: /\bmodel_provider\b|--oss\b/,
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
        loggedOut: false,
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
  return { ...report, lastMessage, limit: undefined, error: undefined, loggedOut: false };
}

function failed(report: AgentReport, message: string | undefined, at: Instant): AgentReport {
  if (message === undefined) return report;
  const limit = limitIn(message, at) ?? report.limit;
  return { ...report, error: errorText(message), limit, loggedOut: isLoginRefusal(message) };
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
