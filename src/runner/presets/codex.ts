import { CODEX_PARSER } from "./parse-codex.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

/** Without network the plugin and app features alone cost 5 s at the end of every run. */
const OFF = [
  "analytics.enabled=false",
  "check_for_update_on_startup=false",
  "features.plugins=false",
  "features.apps=false",
];

export const CODEX: Preset = {
  ...PLAIN,
  program: "codex",
  args: [
    ...["exec", "--json", "--color", "never", "--skip-git-repo-check", "-C", "{workspace}"],
    // Given the right to write, codex trusts the repository and starts the MCP servers of its .codex/config.toml.
    ...["--ignore-user-config", "--ignore-rules"],
    ...OFF.flatMap((setting) => ["-c", setting]),
  ],
  // Its own sandbox inside of another one does nothing, and ends with 0.
  inSandbox: ["--dangerously-bypass-approvals-and-sandbox"],
  withoutSandbox: ["-s", "workspace-write"],
  model: ["-m", "{model}"],
  fresh: ["-"],
  resume: ["resume", "{session}", "-"],
  env: { CODEX_HOME: "{home}/.codex" },
  // The folder must exist.
  files: { ".codex/config.toml": "" },
  parser: CODEX_PARSER,
  provider: ["api.openai.com"],
};
