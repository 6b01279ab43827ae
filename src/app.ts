import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Probot, Server } from "probot";
import type { Logger } from "pino";
import { Activities } from "./background.ts";
import { createClock } from "./adapters/clock.ts";
import { findFreePort } from "./adapters/free-port.ts";
import { createGit } from "./adapters/git/create-git.ts";
import { createConnection } from "./adapters/github/connection.ts";
import { createGitHub } from "./adapters/github/create-github.ts";
import { octokitFor } from "./adapters/github/octokit-options.ts";
import { createWritePaces } from "./adapters/github/write-paces.ts";
import { createHost } from "./adapters/host.ts";
import { createProcesses } from "./adapters/process.ts";
import { openStore } from "./adapters/store/open-store.ts";
import { REPO_CONFIG_PATH } from "./config/read-repo-config.ts";
import type { OperatorConfig } from "./config/schema.ts";
import type { Deps } from "./deps.ts";
import type { Signal } from "./domain/signal.ts";
import { Loop } from "./loop.ts";
import type { Store } from "./ports/store.ts";
import { Settings } from "./settings.ts";
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
  /** Resolves when no tick, run or verification is under way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The composition root: the only place that names concrete adapters. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { operator, log } = options;
  const clock = createClock();
  const store = await openStore({ path: join(operator.dataDir, "store"), now: clock.now });
  try {
    const { server, probot } = await createServer(options);
    const auth = { asApp: () => probot.auth(), asInstallation: (id: number) => probot.auth(id) };
    const pace = createWritePaces(clock, operator.github.pacing);
    const connection = createConnection(auth, pace);
    const github = createGitHub(connection, clock.now);
    const botLogin = await connection.botLogin();
    const activities: Activities = new Activities(() => deps);
    const deps: Deps = {
      ...{ github, store, clock, log, operator, botLogin, background: activities },
      holder: randomUUID(),
      git: createGit({
        dataDir: operator.dataDir,
        remoteUrl: (repo) => `${operator.github.gitUrl}/${repo}.git`,
        token: (repo) => github.gitToken(repo),
        now: clock.now,
        env: gitVariables(options.environment),
      }),
      processes: createProcesses(),
      host: createHost(operator.dataDir, options.environment),
      wake: (repo, reason) => loop.wake(repo, reason),
    };
    const settings = new Settings(deps);
    const tick = createTick(settings, deps);
    const loop = new Loop({ clock, log, reconcileEveryMs: operator.reconcileEvery, tick });
    return await run({ server, probot, deps, settings, loop, activities });
  } catch (error) {
    await store.close();
    throw error;
  }
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
  await clearLeftovers(deps);
  await server.start();
  await watchRepos(parts);
  deps.log.info({ port: server.port, repos: loop.watched().length }, "app started");
  return {
    webhookUrl: `http://${server.host}:${server.port}${WEBHOOK_PATH}`,
    store: deps.store,
    idle: () => idle(loop, activities),
    async stop() {
      await server.stop();
      await loop.stop();
      await activities.stop("the app was stopped");
      await deps.store.close();
      deps.log.info({}, "app stopped");
    },
  };
}

/** What a crash left behind: its processes end, its work is saved, its workspaces go. */
async function clearLeftovers({ git, processes, host, log }: Deps): Promise<void> {
  for (const workspace of await git.listWorkspaces()) {
    await processes.reap(host.markerOf(workspace.id));
    await git.rescueWorkspace(workspace);
    await git.closeWorkspace(workspace);
    log.warn({ repo: workspace.repo, run: workspace.id }, "workspace of a lost run cleared");
  }
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
