import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentProgram } from "./installed.ts";
import type { ModelServer, ModelStep } from "./model-server.ts";

/** How a real agent program is led to the scripted model, and what is special about it. */
export interface DrivenProgram {
  readonly runner: (model: ModelServer) => Readonly<Record<string, unknown>>;
  readonly environment: (model: ModelServer) => Readonly<Record<string, string>>;
  /** Its provider refuses for now, in words that make the program give up at once. */
  readonly limit: ModelStep;
  /** Makes it lose its conversations in this HOME, in a way that shows only when it looks for one. */
  forget(home: string): Promise<void>;
}

const KEY = "no real key";

const CODEX: DrivenProgram = {
  runner: (model) => {
    const provider = `{name="scripted",base_url="${model.url}",env_key="MODEL_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`;
    const settings = [`model_provider="scripted"`, `model_providers.scripted=${provider}`];
    const args = settings.flatMap((setting) => ["-c", setting]);
    return { preset: "codex", model: "scripted", args, env: ["MODEL_KEY"] };
  },
  environment: () => ({ MODEL_KEY: KEY }),
  limit: { status: 429, body: { error: { type: "usage_limit_reached", resets_in_seconds: 1 } } },
  forget: async (home) => {
    const sessions = join(home, ".codex/sessions");
    const found = await readdir(sessions, { recursive: true, withFileTypes: true });
    for (const entry of found.filter((one) => one.isFile()))
      await rename(join(entry.parentPath, entry.name), join(sessions, `elsewhere-${entry.name}`));
  },
};

const CLAUDE: DrivenProgram = {
  runner: () => ({ preset: "claude", env: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"] }),
  environment: (model) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.origin }),
  limit: {
    status: 429,
    headers: { "x-should-retry": "false" },
    body: { type: "error", error: { type: "rate_limit_error", message: "try again in 1 second" } },
  },
  forget: (home) => moveAll(join(home, ".claude/projects")),
};

const OPENCODE: DrivenProgram = {
  runner: () => ({
    preset: "opencode",
    model: "scripted/scripted",
    env: ["OPENCODE_CONFIG_CONTENT"],
  }),
  environment: (model) => {
    const options = { baseURL: model.url, apiKey: KEY };
    const npm = "@ai-sdk/openai-compatible";
    const scripted = { npm, name: "scripted", options, models: { scripted: { name: "scripted" } } };
    return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { scripted } }) };
  },
  // A status that it does not ask again after.
  limit: {
    status: 402,
    body: { error: { message: "You exceeded your current quota.", type: "insufficient_quota" } },
  },
  forget: async (home) => {
    const folder = join(home, ".local/share/opencode");
    for (const name of await readdir(folder))
      if (name.startsWith("opencode.db")) await rm(join(folder, name));
    await writeFile(join(folder, "opencode.db"), "");
  },
};

const GEMINI: DrivenProgram = {
  runner: () => ({
    preset: "gemini",
    model: "gemini-2.5-flash",
    env: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  }),
  environment: (model) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: model.origin }),
  limit: {
    status: 429,
    body: {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota.",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel" }],
          },
        ],
      },
    },
  },
  forget: (home) => moveAll(join(home, ".gemini/tmp")),
};

export const DRIVEN_PROGRAMS: Readonly<Record<AgentProgram, DrivenProgram>> = {
  codex: CODEX,
  claude: CLAUDE,
  opencode: OPENCODE,
  gemini: GEMINI,
};

/** Conversations are by folder: in a folder of another name they are nobody's. */
async function moveAll(folder: string): Promise<void> {
  const elsewhere = join(folder, "elsewhere");
  for (const name of await readdir(folder)) {
    await mkdir(elsewhere, { recursive: true });
    await rename(join(folder, name), join(elsewhere, name));
  }
}
