import { join } from "node:path";
import { execa } from "execa";
import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readControlFile } from "../../../src/control/control-file.ts";
import type { Status } from "../../../src/control/get-status.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { World } from "../../support/world.ts";

let world: World;
let program: string;
let config: string;
beforeAll(async () => {
  world = await World.create({ startApp: false });
  program = await bundledApp();
  config = join(world.folder, "wavetrain.config.yml");
  const server = { host: "127.0.0.1", port: 0 };
  await writeFile(config, stringify({ ...world.operatorConfig(), server }));
});
afterAll(() => world.close());

function start(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { appId, privateKey, webhookSecret } = world.identity;
  const identity = {
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
  };
  const env = { ...world.environment, ...identity, ...variables };
  return execa("node", [program, "start", "--config", config, ...args], { env, reject: false });
}

/** Starts the server, asks it for its status, stops it, and returns both its status and what it printed. */
async function seen(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const dataDir = join(world.folder, "app");
  const app = start(args, variables);
  await world.until(
    "the server is announced",
    async () => (await readControlFile(dataDir))?.pid === app.pid,
  );
  const { stdout } = await execa("node", [program, "status", "--json", "--data-dir", dataDir]);
  app.kill("SIGTERM");
  return { status: JSON.parse(stdout) as Status, log: (await app).stdout };
}

describe("wavetrain start", () => {
  it("takes the number of slots from the command line, and writes its log for people when told to", async () => {
    const { status, log } = await seen(["--slots", "1", "--log-format", "pretty"]);
    expect(status.slots).toBe(1);
    expect(log).toMatch(/^\d\d:\d\d:\d\d INFO {2}app started {2}port=\d+ {2}repos=1$/m);
    expect(log.trimEnd()).toMatch(/INFO {2}app stopped$/);
  });

  it("writes JSON where nobody looks on", async () => {
    const { status, log } = await seen([]);
    expect(status.slots).toBe(8);
    const messages = log.split("\n").map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toContain("app started");
    expect(messages.at(-1)).toBe("app stopped");
  });

  it.each([
    [["--slots", "many"], {}, "It must be a whole number of runs."],
    [["--slots", "-1"], {}, "It must be a whole number of runs."],
    [["--log-format", "xml"], {}, "Allowed choices are pretty, json."],
    [[], { LOG_FORMAT: "xml" }, "LOG_FORMAT is not one of pretty, json"],
  ])("refuses %j %j", async (args, variables, words) => {
    const { exitCode, stderr } = await start(args, variables);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });
});
