import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { findFreePort } from "../../src/adapters/free-port.ts";
import type { World } from "./world.ts";

const CLI = new URL("../../src/cli/main.ts", import.meta.url).pathname;

/** `wavetrain start` as a process of its own, which can be killed. */
export class AppProcess {
  readonly #world: World;
  #process: ChildProcess | undefined;
  #port = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const world = this.#world;
    this.#port ||= await findFreePort("127.0.0.1");
    const config = join(world.folder, "wavetrain.config.yml");
    const server = { host: "127.0.0.1", port: this.#port };
    await writeFile(config, stringify({ ...world.operatorConfig(), server }));
    const { appId, privateKey, webhookSecret } = world.identity;
    const log = openSync(world.appLog, "a");
    this.#process = spawn("node", ["--import", "tsx", CLI, "start", "--config", config], {
      env: {
        ...world.environment,
        APP_ID: String(appId),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
        LOG_LEVEL: "warn",
      },
      stdio: ["ignore", log, log],
    });
    world.github.setWebhookUrl(`http://127.0.0.1:${this.#port}/api/github/webhooks`);
    await world.until("the app answers", () => this.#answers());
  }

  /** kill -9: nothing of it gets a chance to tidy up. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** SIGTERM, as an orchestrator would send; answers the exit code. */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return running?.exitCode ?? null;
    running.kill(signal);
    const [code] = (await once(running, "exit")) as [number | null];
    return code;
  }

  async #answers(): Promise<boolean> {
    if (this.#process?.exitCode !== null) throw new Error("the app ended by itself");
    return fetch(`http://127.0.0.1:${this.#port}/ping`).then(
      (response) => response.ok,
      () => false,
    );
  }
}
