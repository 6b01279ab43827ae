import type { Probot } from "probot";
import type { Activities } from "./background.ts";
import { createChores } from "./chores.ts";
import type { Chores } from "./chores.ts";
import { REPO_CONFIG_PATH } from "./config/read-repo-config.ts";
import type { Deps } from "./deps.ts";
import type { Delivery } from "./domain/delivery.ts";
import type { RepoName, TaskId } from "./domain/ids.ts";
import type { Signal } from "./domain/signal.ts";
import { answerPing, openDoor } from "./http/door.ts";
import type { Door, Handler } from "./http/door.ts";
import { reachableUrl } from "./http/control-file.ts";
import { haltBecause } from "./halt.ts";
import { openControl } from "./http/open-control.ts";
import type { Control } from "./http/open-control.ts";
import { startJanitor } from "./janitor/start-janitor.ts";
import type { Janitor } from "./janitor/start-janitor.ts";
import type { Loop } from "./loop.ts";
import { concerns, markUnwatched } from "./mark-unwatched.ts";
import { persist } from "./persist.ts";
import type { PoolEvents } from "./pool-events.ts";
import type { ApiBudget } from "./ports/api-budget.ts";
import type { Deliveries } from "./ports/deliveries.ts";
import type { Leftovers } from "./ports/leftovers.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { Store } from "./ports/store.ts";
import type { WakeUps } from "./ports/wake-ups.ts";
import type { Reporter } from "./report/reporter.ts";
import { recover } from "./recover.ts";
import type { InheritedRun } from "./recover.ts";
import { AppError } from "./shared/app-error.ts";
import type { Settings } from "./settings.ts";
import { wordsOf } from "./shared/words-of.ts";
import { stopRuns } from "./stop-runs.ts";
import type { StopPolicy, StopReport } from "./stop-runs.ts";
import { serveWebhooks } from "./webhooks/serve-webhooks.ts";
import { receive, registerWebhooks } from "./webhooks/register.ts";
import type { Intake } from "./webhooks/register.ts";
import { wakeOthers } from "./wake-others.ts";

/** The manifest names the same path. */
const WEBHOOK_PATH = "/api/github/webhooks";

export interface RunningApp {
  /** Where GitHub sends webhooks. */
  readonly webhookUrl: string;
  readonly store: Store;
  readonly pool: PoolEvents;
  /** What runners are kept in. */
  readonly sandbox: Sandbox;
  /** Resolves when no tick, run or verification is under way. */
  idle(): Promise<void>;
  /** Tasks whose runs are under way. */
  working(): readonly TaskId[];
  /** By the operator's policy unless another is given. Takes nothing in from the first moment on. */
  stop(policy?: StopPolicy): Promise<StopReport>;
}

/** What a running app is made of. */
export interface Parts {
  readonly probot: Probot;
  readonly webhookSecret: string;
  readonly deps: Deps;
  readonly settings: Settings;
  readonly loop: Loop;
  readonly activities: Activities;
  readonly leftovers: Leftovers;
  readonly deliveries: Deliveries;
  readonly budgets: { all(): readonly ApiBudget[] };
  readonly reporter: Reporter;
  readonly wakeUps: WakeUps;
  readonly checkStore: (() => Promise<string | undefined>) | undefined;
}

interface Running extends Parts {
  readonly chores: Chores;
  readonly control: Control;
  readonly door: Door;
  readonly janitor: Janitor;
  /** Ends listening to other processes on the same store. */
  readonly deafen: () => void;
}

/** Takes up what an earlier life left, opens the door, and starts the loop. */
export async function runApp(parts: Parts): Promise<RunningApp> {
  const { deps, loop } = parts;
  const intake = intakeOf(parts);
  registerWebhooks(parts.probot, intake);
  const halt = (reason: string): void => haltBecause(reason, { ...deps, loop });
  const chores = createChores({
    ...parts,
    ...deps,
    halt,
    receive: (delivery) => receive(delivery, intake),
  });
  const control = openControl({
    ...deps,
    watched: () => loop.watched(),
    running: () => parts.activities.running(),
    budgets: () => parts.budgets.all(),
    heldBack: (repo) => parts.reporter.heldBack(repo),
    wake: (repo) => loop.wake(repo, "github-changed"),
  });
  const handlers = [webhooksOf(parts), answerPing, control.serve];
  parts.activities.inherit(await inheritedFrom(parts, halt));
  const door = await openDoor({ ...deps.operator.server, log: deps.log, handlers });
  const janitor = startJanitor({ ...deps, ...parts, watched: () => loop.watched() });
  const deafen = parts.wakeUps.onWake((repo) => wakeFromOutside(repo, loop));
  const running: Running = { ...parts, chores, control, door, janitor, deafen };
  try {
    await persist(() => watchRepos(parts), deps);
    await announce(running);
  } catch (error) {
    await stop(running, "stop");
    throw error;
  }
  chores.start();
  deps.log.info({ port: door.port, repos: loop.watched().length }, "app started");
  return runningApp(running);
}

/** What a damaged store says of runs counts for nothing: everything stays as it is until somebody has looked. */
async function inheritedFrom(
  { deps, settings }: Parts,
  halt: (reason: string) => void,
): Promise<readonly InheritedRun[]> {
  try {
    return await recover(deps, () => persist(() => settings.discover(), deps));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "store-damaged") throw error;
    halt(error.message);
    return [];
  }
}

/** Without the word the command line does not find the server; everything else goes on. */
async function announce({ control, door, deps }: Running): Promise<void> {
  await control.announce(door.host, door.port).catch((err: unknown) => {
    deps.log.error({ err }, "control interface not announced");
    deps.notices.tell(`the command line cannot find this server: ${wordsOf(err)}`);
  });
}

function runningApp(running: Running): RunningApp {
  const { door, deps, activities } = running;
  return {
    webhookUrl: `${reachableUrl(door.host, door.port)}${WEBHOOK_PATH}`,
    store: deps.store,
    pool: deps.pool,
    sandbox: deps.sandbox,
    idle: () => idle(running),
    working: () => activities.running().map(({ task }) => task),
    async stop(policy = deps.operator.onStop) {
      const report = await stop(running, policy);
      deps.git.close();
      await deps.store.close();
      deps.log.info({}, "app stopped");
      return report;
    },
  };
}

/** Nothing new comes in before anything is ended; the store stays open for last words. */
async function stop(running: Running, policy: StopPolicy): Promise<StopReport> {
  const { loop, activities, chores, control, door, janitor, deps } = running;
  const { clock, operator } = deps;
  running.deafen();
  await control.close();
  await door.close();
  await chores.stop();
  await janitor.stop();
  await loop.stop();
  return stopRuns(activities, { policy, timeoutMs: operator.stopTimeout, clock });
}

function webhooksOf({ probot, webhookSecret: secret, deps }: Parts): Handler {
  const receive = (delivery: Delivery): Promise<void> =>
    probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
  return serveWebhooks({ path: WEBHOOK_PATH, secret, log: deps.log, receive });
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
    defaultBranchNamed: (repo, branch) => {
      if (settings.isNewDefault(repo, branch)) followRename(repo, parts);
    },
    wake: (signal) => wakeFor(signal, parts),
  };
}

async function watchRepos(parts: Parts): Promise<void> {
  const { settings, loop, deps } = parts;
  const repos = new Set(await settings.discover());
  for (const repo of loop.watched()) if (!repos.has(repo)) leaveRepo(repo, parts);
  for (const repo of repos) {
    deps.notices.set(repo, "access", []);
    loop.watch(repo);
  }
  await markUnwatched(deps.store, loop.watched(), deps.clock.now());
}

/** Its runs could deliver nothing any more; their work is saved, and goes on from the queue should the repository come back. */
function leaveRepo(repo: RepoName, { loop, activities, deps }: Parts): void {
  loop.unwatch(repo);
  activities.stopIn(repo, `the app does not see ${repo} any more`);
  deps.notices.set(repo, "access", [
    "the app does not see this repository any more: it was transferred, renamed or taken out of the installation; its tasks wait",
  ]);
}

/** What a webhook says of names is only a hint. */
function followRename(repo: RepoName, parts: Parts): void {
  void rewatch(parts).then(() => {
    parts.loop.wake(repo, "github-changed");
  });
}

async function rewatch(parts: Parts): Promise<void> {
  await watchRepos(parts).catch((err: unknown) => {
    parts.deps.log.error({ err }, "repositories not read");
  });
}

function wakeFor(signal: Signal, parts: Parts): void {
  const { loop, deps } = parts;
  if (signal.event === "installation" || signal.event === "installation_repositories") {
    void rewatch(parts);
  }
  for (const repo of loop.watched()) {
    if (concerns(signal, repo)) loop.wake(repo, "github-changed");
  }
  // Alone on its store, the app has just woken all that it concerns.
  if (deps.operator.store.url !== undefined) {
    wakeOthers(signal.repo, { wakeUps: parts.wakeUps, log: deps.log });
  }
}

/** Undefined: words may have been missed, so everybody is meant. */
function wakeFromOutside(repo: RepoName | undefined, loop: Loop): void {
  for (const one of repo === undefined ? loop.watched() : [repo]) {
    loop.wake(one, "github-changed");
    loop.wake(one, "we-changed");
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
