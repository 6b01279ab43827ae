import type { PresetName } from "../../config/schema/runner-schema.ts";
import { AIDER } from "./aider.ts";
import { CLAUDE } from "./claude.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";
import type { Preset } from "./preset.ts";

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  codex: CODEX,
  claude: CLAUDE,
  opencode: OPENCODE,
  gemini: GEMINI,
  copilot: COPILOT,
  aider: AIDER,
};
