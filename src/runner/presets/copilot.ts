import { NO_PARSER } from "./agent-report.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

export const COPILOT: Preset = {
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
};
