import { NO_PARSER } from "./agent-report.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

/** Aider ends with 0 even when its provider failed: only the diff tells whether anything was done. */
export const AIDER: Preset = {
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
