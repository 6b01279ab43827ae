import { join } from "node:path";
import { pino } from "pino";
import type { Logger } from "pino";
import type { Project } from "../../local-github/model/project.ts";
import { fullName } from "../../local-github/model/repository.ts";
import type { Repository } from "../../local-github/model/repository.ts";
import type { LocalGitHub } from "../../local-github/start-local-github.ts";
import type { RunningApp } from "../../src/app/run-app.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { repoName } from "../../src/domain/ids.ts";
import type { RepoName } from "../../src/domain/ids.ts";
import { startApp } from "../../src/index.ts";
import type { StrictObserver } from "./schemas/strict-observer.ts";
import { AGENT_RUNNER } from "./world-options.ts";
import type { LogLine, WorldOptions } from "./world-options.ts";

const HASTE = {
  github: { pacing: "off" },
  pool: { minFreeMemory: 0, retry: { backoff: "20ms", maxBackoff: "40ms" } },
  repository: { report: { waitingAfter: 0 } },
};

function logTo(listener: WorldOptions["onLog"]): Logger {
  if (listener === undefined)
    return pino({ level: process.env.LOG_LEVEL ?? "fatal" }, pino.destination(2));
  const write = (line: string): void => listener(JSON.parse(line) as LogLine);
  return pino({ level: "debug" }, { write });
}

/** The parts that a world is made of. */
export interface WorldParts {
  readonly folder: string;
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly project: Project;
  readonly identity: { appId: number; privateKey: string; webhookSecret: string };
  readonly observer: StrictObserver;
}

/** The app on a local GitHub: how it is configured, started and stopped. */
export class WorldServer {
  readonly folder: string;
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly project: Project;
  readonly identity: WorldParts["identity"];
  readonly observer: StrictObserver;
  protected readonly options: WorldOptions;
  #app: RunningApp | undefined;

  protected constructor(parts: WorldParts, options: WorldOptions) {
    this.folder = parts.folder;
    this.github = parts.github;
    this.repository = parts.repository;
    this.project = parts.project;
    this.identity = parts.identity;
    this.observer = parts.observer;
    this.options = options;
  }

  protected get isRunning(): boolean {
    return this.#app !== undefined;
  }

  /** As it is called now. */
  get repo(): RepoName {
    return repoName(fullName(this.repository));
  }

  get agentFolder(): string {
    return join(this.folder, "agent");
  }

  get environment(): Readonly<Record<string, string | undefined>> {
    return {
      PATH: process.env.PATH,
      AGENT_DIR: this.agentFolder,
      SECRET_OF_THE_SERVER: "x",
      ...this.options.environment,
    };
  }

  /** Where an app in a process of its own writes. */
  get appLog(): string {
    return join(this.folder, "app.log");
  }

  get app(): RunningApp {
    if (this.#app === undefined) throw new Error("the app is not running");
    return this.#app;
  }

  /** The operator's configuration, as an object that the file could hold. */
  operatorConfig(): Record<string, unknown> {
    const inHaste = this.options.defaults !== true;
    return {
      dataDir: join(this.folder, "app"),
      server: { port: 0 },
      github: { apiUrl: this.github.url, gitUrl: this.github.url, ...(inHaste && HASTE.github) },
      runners: { agent: AGENT_RUNNER },
      sandbox: "none",
      slots: 8,
      ...(inHaste && HASTE.pool),
      repositories: {
        [this.repo]: {
          verify: "test -f README.md",
          limits: { parallel: 8 },
          ...(inHaste && HASTE.repository),
          ...this.options.repository,
        },
      },
      ...this.options.operator,
    };
  }

  async startApp(): Promise<void> {
    this.#app = await this.startServer({});
    this.github.setWebhookUrl(this.#app.webhookUrl);
  }

  /** One more of the app, which whoever starts it has to stop; GitHub does not know of it. */
  startServer(operator: Readonly<Record<string, unknown>>): Promise<RunningApp> {
    return startApp({
      operator: operatorConfigSchema.parse({ ...this.operatorConfig(), ...operator }),
      identity: this.identity,
      environment: this.environment,
      ...(this.options.clock !== undefined && { clock: this.options.clock }),
      log: logTo(this.options.onLog),
    });
  }

  async stopApp(): Promise<void> {
    // Of this very process: nothing may go on without it.
    await this.#app?.stop("stop");
    this.#app = undefined;
  }
}
