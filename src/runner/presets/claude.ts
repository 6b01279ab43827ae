import { CLAUDE_PARSER } from "./parse-claude.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

export const CLAUDE: Preset = {
  ...PLAIN,
  program: "claude",
  args: [
    ...["-p", "--output-format", "stream-json", "--verbose"],
    // Hooks of .claude/settings.json and servers of .mcp.json would run before the first turn.
    ...["--setting-sources", "user", "--strict-mcp-config"],
  ],
  inSandbox: ["--dangerously-skip-permissions"],
  withoutSandbox: ["--permission-mode", "acceptEdits"],
  model: ["--model", "{model}"],
  resume: ["--resume", "{session}"],
  env: {
    CLAUDE_CONFIG_DIR: "{home}/.claude",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // By default it goes on asking for minutes after a refusal.
    CLAUDE_CODE_MAX_RETRIES: "4",
    // As root it refuses to work without asking unless it is told that it cannot do harm.
    IS_SANDBOX: "1",
  },
  parser: CLAUDE_PARSER,
  provider: ["api.anthropic.com"],
  note: "If the repository has a CLAUDE.md, read it first and follow it.",
};
