import { OPENCODE_PARSER } from "./parse-opencode.ts";
import { PLAIN } from "./preset.ts";
import type { Preset } from "./preset.ts";

export const OPENCODE: Preset = {
  ...PLAIN,
  program: "opencode",
  args: ["run", "--pure", "--format", "json", "--auto"],
  model: ["-m", "{model}"],
  resume: ["-s", "{session}"],
  env: {
    XDG_DATA_HOME: "{home}/.local/share",
    XDG_CONFIG_HOME: "{home}/.config",
    XDG_STATE_HOME: "{home}/.local/state",
    XDG_CACHE_HOME: "{home}/.cache",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  },
  parser: OPENCODE_PARSER,
  needsSandbox:
    "opencode runs .opencode/plugin/*.js of the repository when it starts, and nothing turns that off",
};
