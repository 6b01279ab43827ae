import { join, resolve } from "node:path";
import { Probot, Server } from "probot";
import type { Logger } from "pino";
import { Activities } from "./background.ts";
import { createClock } from "./adapters/clock.ts";
import { findFreePort } from "./adapters/free-port.ts";
import { createGit } from "./adapters/git/create-git.ts";
import type { GitOptions } from "./adapters/git/mirror-git.ts";
import { createConnection } from "./adapters/github/connection.ts";
import { createGitHub } from "./adapters/github/create-github.ts";
import { octokitFor } from "./adapters/github/octokit-options.ts";
import { createFiles } from "./adapters/files.ts";
import { createHost } from "./adapters/host.ts";
import { createLeftovers } from "./adapters/leftovers.ts";
import { createProcesses } from "./adapters/process.ts";
import { createSandbox } from "./adapters/sandbox.ts";
import { openStore } from "./adapters/store/open-store.ts";
import type { StorePlace } from "./adapters/store/open-store.ts";
import { REPO_CONFIG_PATH } from "./config/read-repo-config.ts";
import type { OperatorConfig } from "./config/schema.ts";
import type { Deps } from "./deps.ts";
import type { Signal } from "./domain/signal.ts";
import { Loop } from "./loop.ts";
import { startJanitor } from "./janitor/start-janitor.ts";
import type { Leftovers } from "./ports/leftovers.ts";
import { PoolEvents } from "./pool-events.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { Store } from "./ports/store.ts";
import { recover } from "./recover.ts";
import { Settings } from "./settings.ts";
import { checkRunners } from "./runner/check-runners.ts";
import { PortRanges } from "./workspace/ports.ts";
import { concerns, createTick } from "./tick-repo.ts";
import { registerWebhooks } from "./webhooks/register.ts";

/** Probot's own default; the manifest names the same path. */
const WEBHOOK_PATH = "/api/github/webhooks";

export interface AppOptions {
  readonly operator: OperatorConfig;
  readonly identity: {
    readonly appId: number;
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** The server's environment: runners see only what the operator lists. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

export interface RunningApp {
  /** Where GitHub sends webhooks. */
  readonly webhookUrl: string;
  readonly store: Store;
  readonly pool: PoolEvents;
  /** What runners are kept in. */
  readonly sandbox: Sandbox["level"];
  /** Resolves when no tick, run or verification is under way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The composition root: the only place that names concrete adapters. */
export async function startApp(given: AppOptions): Promise<RunningApp> {
  // Runners work in folders of their own, where a relative path would be another one.
  const operator = { ...given.operator, dataDir: resolve(given.operator.dataDir) };
  const options = { ...given, operator };
  const { log } = options;
  const clock = createClock();
  const rooms = await prepareRooms(options);
  const store = await openStore({ ...storeOptions(operator), now: clock.now });
  try {
    const { server, probot } = await createServer(options);
    const connection = createConnection({
      asApp: () => probot.auth(),
      asInstallation: (id) => probot.auth(id),
    });
    const github = createGitHub(connection, clock.now);
    const botLogin = await connection.botLogin();
    const activities: Activities = new Activities(() => deps);
    const git = createGit({
      ...gitOptions(options),
      token: (repo) => github.gitToken(repo),
      now: clock.now,
    });
    const leftovers = createLeftovers(operator.dataDir, git.leftovers);
    const deps: Deps = {
      ...{ github, store, git, clock, log, operator, botLogin, background: activities },
      pool: new PoolEvents(log),
      ...rooms,
      processes: createProcesses({ folder: join(operator.dataDir, "runs") }),
      host: createHost(operator.dataDir, options.environment),
      wake: (repo, reason) => loop.wake(repo, reason),
    };
    const settings = new Settings(deps);
    const tick = createTick(settings, deps);
    const loop = new Loop({ clock, log, reconcileEveryMs: operator.reconcileEvery, tick });
    return await run({ server, probot, deps, settings, loop, activities, leftovers });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What runs are kept in. What is not safe on this host is refused before anything is started. */
async function prepareRooms({
  operator,
  environment,
  log,
}: AppOptions): Promise<Pick<Deps, "sandbox" | "files" | "ports">> {
  const sandbox = await createSandbox({ operator, environment });
  const files = createFiles(environment);
  await checkRunners({ operator, sandbox, files, log });
  return { sandbox, files, ports: new PortRanges(operator.ports) };
}

function storeOptions(operator: OperatorConfig): StorePlace & { readonly staleAfterMs: number } {
  return { ...placeOf(operator), staleAfterMs: operator.claimsStaleAfter };
}

function placeOf({ store, dataDir }: OperatorConfig): StorePlace {
  if (store.url === undefined) return { path: join(dataDir, "store") };
  return { kind: "postgres", url: store.url };
}

function gitOptions({ operator, environment }: AppOptions): Omit<GitOptions, "token" | "now"> {
  return {
    dataDir: operator.dataDir,
    remoteUrl: (repo) => `${operator.github.gitUrl}/${repo}.git`,
    env: gitVariables(environment),
    maxSpares: operator.cleanup.spares,
  };
}

/** What git needs of the host to reach GitHub. */
function gitVariables(environment: AppOptions["environment"]): Readonly<Record<string, string>> {
  const names = ["PATH", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"];
  const found = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

async function createServer({
  operator,
  identity,
  log,
}: AppOptions): Promise<{ readonly server: Server; readonly probot: Probot }> {
  const { appId, privateKey, webhookSecret: secret } = identity;
  const Octokit = octokitFor(operator.github.pacing);
  const { host } = operator.server;
  const port = operator.server.port === 0 ? await findFreePort(host) : operator.server.port;
  const server = new Server({
    ...{ host, port },
    log,
    Probot: Probot.defaults({
      appId,
      privateKey,
      secret,
      baseUrl: operator.github.apiUrl,
      Octokit,
      log,
    }),
  });
  let loaded: Probot | undefined;
  await server.load((probot) => {
    loaded = probot;
  });
  if (loaded === undefined) throw new Error("Probot did not load the app");
  return { server, probot: loaded };
}

interface Parts {
  readonly server: Server;
  readonly probot: Probot;
  readonly deps: Deps;
  readonly settings: Settings;
  readonly loop: Loop;
  readonly activities: Activities;
  readonly leftovers: Leftovers;
}

async function run(parts: Parts): Promise<RunningApp> {
  const { server, deps, loop, activities } = parts;
  registerWebhooks(parts.probot, {
    store: deps.store,
    now: deps.clock.now,
    botLogin: deps.botLogin,
    configPath: REPO_CONFIG_PATH,
    configChanged: ({ repo }) => {
      if (repo === undefined) return;
      parts.settings.forget(repo);
      loop.wake(repo, "github-changed");
    },
    wake: (signal) => wakeFor(signal, parts),
  });
  activities.inherit(await recover(deps, () => parts.settings.discover()));
  await server.start();
  await watchRepos(parts);
  const janitor = startJanitor({
    ...deps,
    leftovers: parts.leftovers,
    watched: () => loop.watched(),
  });
  deps.log.info({ port: server.port, repos: loop.watched().length }, "app started");
  return {
    webhookUrl: `http://${server.host}:${server.port}${WEBHOOK_PATH}`,
    store: deps.store,
    pool: deps.pool,
    sandbox: deps.sandbox.level,
    idle: () => idle(loop, activities),
    async stop() {
      await server.stop();
      await loop.stop();
      await activities.stop("the app was stopped");
      await janitor.stop();
      await deps.store.close();
      deps.log.info({}, "app stopped");
    },
  };
}

async function watchRepos({ settings, loop }: Parts): Promise<void> {
  const repos = new Set(await settings.discover());
  for (const repo of loop.watched()) if (!repos.has(repo)) loop.unwatch(repo);
  for (const repo of repos) loop.watch(repo);
}

function wakeFor(signal: Signal, parts: Parts): void {
  const { loop, deps } = parts;
  if (signal.event === "installation" || signal.event === "installation_repositories") {
    watchRepos(parts).catch((err: unknown) => {
      deps.log.error({ err }, "repositories not read");
    });
  }
  for (const repo of loop.watched()) {
    if (concerns(signal, repo)) loop.wake(repo, "github-changed");
  }
}

/** Ticks start background work and background work wakes ticks: idle is when neither is left. */
async function idle(loop: Loop, activities: Activities): Promise<void> {
  do {
    await loop.idle();
    await activities.settled();
  } while (loop.busy || activities.busy);
}
