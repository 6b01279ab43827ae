import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { stringify } from "yaml";
import { bundledApp } from "./bundle-app.ts";
import { findLastingPort } from "./lasting-port.ts";
import type { World } from "./world.ts";

const LOG_TAIL_CHARACTERS = 2000;

/** `wavetrain start` as a process of its own, which can be killed. */
export class AppProcess {
  readonly #world: World;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #operator: Readonly<Record<string, unknown>>;
  #process: ChildProcess | undefined;
  #port = 0;

  /** `operator` is laid over the world's configuration: servers that share a store have folders of their own. */
  constructor(
    world: World,
    environment: Readonly<Record<string, string>> = {},
    operator: Readonly<Record<string, unknown>> = {},
  ) {
    this.#world = world;
    this.#environment = environment;
    this.#operator = operator;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    await this.begin();
    await this.#world.until("the app answers", () => this.answers());
  }

  /** Resolves when its process runs, long before it answers. */
  async begin(): Promise<void> {
    const world = this.#world;
    const program = await bundledApp();
    const config = await this.#writeConfig();
    const { appId, privateKey, webhookSecret } = world.identity;
    const log = openSync(world.appLog, "a");
    this.#process = spawn("node", [program, "start", "--config", config], {
      env: {
        ...world.environment,
        APP_ID: String(appId),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
        LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
        ...this.#environment,
      },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    world.github.setWebhookUrl(this.webhookUrl);
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${this.#port}/api/github/webhooks`;
  }

  async residentMegabytes(): Promise<number> {
    const { stdout } = await execa("ps", ["-o", "rss=", "-p", String(this.#process?.pid)]);
    return Number(stdout) / 1024;
  }

  /** kill -9: nothing of it gets a chance to tidy up. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** SIGTERM, as an orchestrator would send; answers the exit code. */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Sends a signal and goes on. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Resolves to its exit code when it has ended. */
  async ended(): Promise<number | null> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return running?.exitCode ?? null;
    const [code] = (await once(running, "exit")) as [number | null];
    return code;
  }

  async answers(): Promise<boolean> {
    if (this.#process?.exitCode !== null) {
      const said = await readFile(this.#world.appLog, "utf8");
      throw new Error(`the app ended by itself: ${said.slice(-LOG_TAIL_CHARACTERS)}`);
    }
    return fetch(`http://127.0.0.1:${this.#port}/ping`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async #writeConfig(): Promise<string> {
    this.#port = await findLastingPort();
    const operator = { ...this.#world.operatorConfig(), ...this.#operator };
    const given = operator["server"] as object;
    const server = { ...given, host: "127.0.0.1", port: this.#port };
    const { name = "wavetrain" } = given as { readonly name?: string };
    const config = join(this.#world.folder, `${name}.config.yml`);
    await writeFile(config, stringify({ ...operator, server }));
    return config;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal);
    return this.ended();
  }
}
