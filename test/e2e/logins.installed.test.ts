import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapWorks, skip } from "../support/installed.ts";
import { ModelServer } from "../support/model-server.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const TOOLS = new URL("../../.tools/node_modules/.bin", import.meta.url).pathname;
const PATH = `${TOOLS}${delimiter}${process.env.PATH ?? ""}`;
const SANDBOX = (await bubblewrapWorks()) ? "bubblewrap" : "none";
const REFUSED = { error: { message: "Incorrect API key provided.", code: "invalid_api_key" } };
const KEYS = ["MODEL_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];

let model: ModelServer;
let world: World;
beforeEach(async () => {
  model = await ModelServer.start();
});
afterEach(async () => {
  await world.close();
  await model.close();
});

function isInstalled(program: string): boolean {
  const found = PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
  // opencode runs code of the repository when it starts, and is refused without a sandbox.
  const works = found && (program !== "opencode" || SANDBOX === "bubblewrap");
  if (!works) skip(program, found ? "it needs bubblewrap" : "not installed");
  return works;
}

const PROGRAMS = ["codex", "claude", "opencode", "gemini"].filter(isInstalled);

async function createWorld(
  url = model.url,
  repository: WorldOptions["repository"] = {},
): Promise<void> {
  const provider = `{name="scripted",base_url="${url}",env_key="MODEL_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`;
  const codex = [`model_provider="scripted"`, `model_providers.scripted=${provider}`];
  const options = { baseURL: model.url, apiKey: "wrong" };
  const ours = { npm: "@ai-sdk/openai-compatible", options, models: { scripted: {} } };
  const all = {
    codex: {
      preset: "codex",
      model: "scripted",
      args: codex.flatMap((setting) => ["-c", setting]),
      env: ["MODEL_KEY"],
    },
    claude: { preset: "claude", env: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"] },
    opencode: { preset: "opencode", model: "ours/scripted", env: ["OPENCODE_CONFIG_CONTENT"] },
    gemini: {
      preset: "gemini",
      model: "gemini-2.5-pro",
      env: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
    },
  };
  world = await World.create({
    environment: {
      PATH,
      ...Object.fromEntries(KEYS.map((key) => [key, "wrong"])),
      ANTHROPIC_BASE_URL: model.origin,
      GOOGLE_GEMINI_BASE_URL: model.origin,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { ours } }),
    },
    operator: {
      runners: Object.fromEntries(Object.entries(all).filter(([name]) => PROGRAMS.includes(name))),
      sandbox: SANDBOX,
    },
    repository,
  });
}

async function addTaskFor(program: string): Promise<void> {
  const labels = [`runner:${program}`];
  await world.addTask({ id: program, files: [`src/${program}.txt`], labels });
  model.script(program, { status: 401, body: REFUSED });
}

describe.skipIf(PROGRAMS.length === 0)("a real program whose key is refused", () => {
  it("is told apart by its own signs, and is not tried again", async () => {
    await createWorld();
    for (const program of PROGRAMS) await addTaskFor(program);
    world.moveToReady(...PROGRAMS);
    await world.untilColumn("Blocked", ...PROGRAMS);
    await world.settle();

    const { tasks } = (await world.status()).repositories[0]!;
    for (const [at, program] of PROGRAMS.entries())
      expect(tasks[at]).toMatchObject({
        title: `Task ${program}`,
        attempts: 1,
        lastRun: { outcome: "not-logged-in", runner: program },
      });
    for (const { tail = [] } of tasks.map(({ lastRun }) => ({ ...lastRun }))) {
      expect(tail.join("\n")).toContain("Incorrect API key provided.");
      expect(tail.join("\n")).not.toContain('{"type"');
    }
    for (const program of PROGRAMS)
      expect(world.comments(program)[0]).toContain(`the runner ${program} is not logged in`);
  });
});

describe.skipIf(!PROGRAMS.includes("codex"))("codex without its provider", () => {
  it("is stopped as stalled, with what it said as the reason", async () => {
    const gone = await ModelServer.start();
    const { url } = gone;
    await gone.close();
    await createWorld(url, { timeouts: { idle: "4s" }, limits: { attempts: 1 } });
    await addTaskFor("codex");
    world.moveToReady("codex");
    await world.untilColumn("Blocked", "codex");
    await world.settle();
    const [task] = (await world.status()).repositories[0]!.tasks;
    expect(task?.reason).toMatch(/made no progress for \d+ s: Reconnecting\.\.\./);
    expect(task?.lastRun).toMatchObject({ outcome: "stalled" });
  });
});
