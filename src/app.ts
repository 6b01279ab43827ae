import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { Server as HttpServer } from "node:http";
import type { Probot, Server } from "probot";
import type { Logger } from "pino";
import { Activities } from "./background.ts";
import { createClock } from "./adapters/clock.ts";
import { findFreePort } from "./adapters/free-port.ts";
import { createGit } from "./adapters/git/create-git.ts";
import { createConnection } from "./adapters/github/connection.ts";
import { createGitHub } from "./adapters/github/create-github.ts";
import { createServer } from "./adapters/github/create-server.ts";
import type { CreatedServer } from "./adapters/github/create-server.ts";
import { createDeliveries } from "./adapters/github/hook-deliveries.ts";
import { createWritePaces } from "./adapters/github/write-paces.ts";
import { createFiles } from "./adapters/files.ts";
import { createHost } from "./adapters/host.ts";
import { createLeftovers } from "./adapters/leftovers.ts";
import { createProcesses } from "./adapters/process.ts";
import { createSandbox } from "./adapters/sandbox.ts";
import { openStore } from "./adapters/store/open-store.ts";
import { createChores } from "./chores.ts";
import type { Chores } from "./chores.ts";
import type { StorePlace } from "./adapters/store/open-store.ts";
import { REPO_CONFIG_PATH } from "./config/read-repo-config.ts";
import type { OperatorConfig } from "./config/schema.ts";
import type { Deps } from "./deps.ts";
import type { TaskId } from "./domain/ids.ts";
import type { Signal } from "./domain/signal.ts";
import { openControl } from "./http/open-control.ts";
import type { Control } from "./http/open-control.ts";
import { closeListener } from "./listening.ts";
import { Loop } from "./loop.ts";
import { startJanitor } from "./janitor/start-janitor.ts";
import type { Leftovers } from "./ports/leftovers.ts";
import { concerns, markUnwatched } from "./mark-unwatched.ts";
import { persist } from "./persist.ts";
import type { Deliveries } from "./ports/deliveries.ts";
import { PoolEvents } from "./pool-events.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { Store } from "./ports/store.ts";
import { recover } from "./recover.ts";
import { Settings } from "./settings.ts";
import { stopRuns } from "./stop-runs.ts";
import type { StopPolicy, StopReport } from "./stop-runs.ts";
import { createTick } from "./tick-repo.ts";
import { receive, registerWebhooks } from "./webhooks/register.ts";
import type { Intake } from "./webhooks/register.ts";
import { checkRunners } from "./runner/check-runners.ts";
import { PortRanges } from "./workspace/ports.ts";

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
  /** Tasks whose runs are under way. */
  working(): readonly TaskId[];
  /** By the operator's policy unless another is given. Takes nothing in from the first moment on. */
  stop(policy?: StopPolicy): Promise<StopReport>;
}

/** The composition root: the only place that names concrete adapters. */
export async function startApp(given: AppOptions): Promise<RunningApp> {
  const options = withWholePaths(given);
  const { operator, log } = options;
  const clock = createClock();
  const rooms = await prepareRooms(options);
  const store = await openStore({ ...storeOptions(operator), now: clock.now });
  try {
    const { server, probot } = await prepareServer(options);
    const auth = { asApp: () => probot.auth(), asInstallation: (id: number) => probot.auth(id) };
    const pace = createWritePaces(clock, operator.github.pacing);
    const connection = createConnection(auth, pace);
    const github = createGitHub(connection, clock.now);
    const botLogin = await persist(() => connection.botLogin(), { clock, log });
    const activities: Activities = new Activities(() => deps);
    const git = createGit({
      dataDir: operator.dataDir,
      remoteUrl: (repo) => `${operator.github.gitUrl}/${repo}.git`,
      token: (repo) => github.gitToken(repo),
      now: clock.now,
      env: gitVariables(options.environment),
      maxSpares: operator.cleanup.spares,
    });
    const leftovers = createLeftovers(operator.dataDir, git.leftovers);
    const deps: Deps = {
      ...{ github, store, git, clock, log, operator, botLogin, background: activities },
      holder: randomUUID(),
      pool: new PoolEvents(log),
      ...rooms,
      processes: createProcesses({ folder: join(operator.dataDir, "runs") }),
      host: createHost(operator.dataDir, options.environment),
      wake: (repo, reason) => loop.wake(repo, reason),
    };
    const settings = new Settings(deps);
    const tick = createTick(settings, deps);
    const loop = new Loop({ clock, log, reconcileEveryMs: operator.reconcileEvery, tick });
    const deliveries = createDeliveries(connection);
    return await run({ server, probot, deps, settings, loop, activities, leftovers, deliveries });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Runners work in folders of their own, where a relative path would be another one. */
function withWholePaths(options: AppOptions): AppOptions {
  const { operator } = options;
  return { ...options, operator: { ...operator, dataDir: resolve(operator.dataDir) } };
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

async function prepareServer({ operator, identity, log }: AppOptions): Promise<CreatedServer> {
  const { host } = operator.server;
  const port = operator.server.port || (await findFreePort(host));
  return createServer({ ...operator.github, host, port, identity, log });
}

function storeOptions(operator: OperatorConfig): StorePlace & { readonly staleAfterMs: number } {
  return { ...placeOf(operator), staleAfterMs: operator.claimsStaleAfter };
}

function placeOf({ store, dataDir }: OperatorConfig): StorePlace {
  if (store.url === undefined) return { path: join(dataDir, "store") };
  return { kind: "postgres", url: store.url };
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

interface Parts {
  readonly server: Server;
  readonly probot: Probot;
  readonly deps: Deps;
  readonly settings: Settings;
  readonly loop: Loop;
  readonly activities: Activities;
  readonly leftovers: Leftovers;
  readonly deliveries: Deliveries;
}

interface Running extends Parts {
  readonly chores: Chores;
  readonly control: Control;
  readonly listener: HttpServer;
  readonly janitor: ReturnType<typeof startJanitor>;
}

async function run(parts: Parts): Promise<RunningApp> {
  const { server, deps, loop } = parts;
  const intake = intakeOf(parts);
  registerWebhooks(parts.probot, intake);
  const chores = createChores({
    ...parts,
    ...deps,
    receive: (delivery) => receive(delivery, intake),
  });
  const control = openControl({
    ...deps,
    watched: () => loop.watched(),
    running: () => parts.activities.running(),
  });
  server.addHandler(control.serve);
  parts.activities.inherit(
    await recover(deps, () => persist(() => parts.settings.discover(), deps)),
  );
  const listener = await server.start();
  const janitor = startJanitor({ ...deps, ...parts, watched: () => loop.watched() });
  const running: Running = { ...parts, chores, control, listener, janitor };
  try {
    await persist(() => watchRepos(parts), deps);
    await control.announce(server.host, server.port);
  } catch (error) {
    await stop(running, "stop");
    throw error;
  }
  chores.start();
  deps.log.info({ port: server.port, repos: loop.watched().length }, "app started");
  return runningApp(running);
}

function runningApp(running: Running): RunningApp {
  const { server, deps, activities } = running;
  return {
    webhookUrl: `http://${server.host}:${server.port}${WEBHOOK_PATH}`,
    store: deps.store,
    pool: deps.pool,
    sandbox: deps.sandbox.level,
    idle: () => idle(running),
    working: () => activities.running().map(({ task }) => task),
    async stop(policy = deps.operator.onStop) {
      const report = await stop(running, policy);
      await deps.store.close();
      deps.log.info({}, "app stopped");
      return report;
    },
  };
}

/** Nothing new comes in before anything is ended; the store stays open for last words. */
async function stop(running: Running, policy: StopPolicy): Promise<StopReport> {
  const { loop, activities, chores, control, listener, janitor, deps } = running;
  const { clock, operator } = deps;
  await control.close();
  await closeListener(listener);
  await chores.stop();
  await janitor.stop();
  await loop.stop();
  return stopRuns(activities, { policy, timeoutMs: operator.stopTimeout, clock });
}

function intakeOf(parts: Parts): Intake {
  const { deps, settings, loop } = parts;
  return {
    store: deps.store,
    now: deps.clock.now,
    botLogin: deps.botLogin,
    configPath: REPO_CONFIG_PATH,
    configChanged: ({ repo }) => {
      if (repo === undefined) return;
      settings.forget(repo);
      loop.wake(repo, "github-changed");
    },
    wake: (signal) => wakeFor(signal, parts),
  };
}

async function watchRepos({ settings, loop, deps }: Parts): Promise<void> {
  const repos = new Set(await settings.discover());
  for (const repo of loop.watched()) if (!repos.has(repo)) loop.unwatch(repo);
  for (const repo of repos) loop.watch(repo);
  await markUnwatched(deps.store, loop.watched(), deps.clock.now());
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
async function idle({ loop, activities, chores }: Running): Promise<void> {
  do {
    await chores.idle();
    await loop.idle();
    await activities.settled();
  } while (loop.busy || activities.busy || chores.busy);
}
