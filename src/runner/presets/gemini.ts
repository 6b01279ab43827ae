import { GEMINI_PARSER } from "./parse-gemini.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

export const GEMINI: Preset = {
  ...PLAIN,
  program: "gemini",
  args: ["--output-format", "stream-json", "--skip-trust"],
  inSandbox: ["--approval-mode", "yolo"],
  withoutSandbox: ["--approval-mode", "auto_edit"],
  model: ["-m", "{model}"],
  resume: ["--resume", "{session}"],
  env: { GEMINI_CLI_HOME: "{home}" },
  files: { ".gemini/settings.json": `${JSON.stringify(SETTINGS)}\n` },
  parser: GEMINI_PARSER,
  provider: ["generativelanguage.googleapis.com"],
};
