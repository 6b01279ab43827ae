import type { PresetName } from "../../config/schema/runner-schema.ts";
import { NO_PARSER } from "./agent-report.ts";
import { CLAUDE } from "./claude.ts";
import { CODEX } from "./codex.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

const COPILOT: Preset = {
  ...PLAIN,
  program: "copilot",
  args: ["--output-format", "json", "-s", "--allow-all-tools", "--no-ask-user"],
  model: ["--model", "{model}"],
  fresh: ["-p", "{prompt}"],
  promptVia: "argument",
  env: {},
  parser: NO_PARSER,
  // The first host says who may use the others.
  provider: ["api.github.com", "*.githubcopilot.com"],
  keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"],
};

/** Aider ends with 0 even when its provider failed: only the diff tells whether anything was done. */
const AIDER: Preset = {
  ...PLAIN,
  program: "aider",
  args: [
    "--yes-always",
    "--no-auto-commits",
    "--no-check-update",
    "--no-stream",
    "--no-pretty",
    // Its histories would otherwise be files of the change.
    "--no-gitignore",
    "--chat-history-file",
    "{home}/aider.chat.md",
    "--input-history-file",
    "{home}/aider.input",
  ],
  model: ["--model", "{model}"],
  fresh: ["--message-file", "{promptFile}"],
  promptVia: "file",
  env: {},
  parser: NO_PARSER,
  needsSandbox:
    "aider reads .aider.conf.yml of the repository, which may name commands for it to run",
};

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  codex: CODEX,
  claude: CLAUDE,
  opencode: OPENCODE,
  gemini: GEMINI,
  copilot: COPILOT,
  aider: AIDER,
};
