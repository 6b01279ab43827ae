import type { Probot } from "probot";
import { startCleanup } from "../cleanup/start-cleanup.ts";
import type { Cleanup } from "../cleanup/start-cleanup.ts";
import { REPO_CONFIG_PATH } from "../config/repository/read-repo-config.ts";
import { reachableUrl } from "../control/control-file.ts";
import { answerPing, openDoor } from "../control/door.ts";
import type { Door, Handler } from "../control/door.ts";
import { openControl } from "../control/serve-control.ts";
import type { Control } from "../control/serve-control.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import type { Delivery } from "../domain/signal.ts";
import { receive, registerWebhooks } from "../intake/register-webhooks.ts";
import type { Intake } from "../intake/register-webhooks.ts";
import { serveWebhooks } from "../intake/serve-webhooks.ts";
import type { Loop } from "../loop/loop.ts";
import type { ApiBudget } from "../ports/api-budget.ts";
import type { Deliveries } from "../ports/deliveries.ts";
import type { Deps } from "../ports/deps.ts";
import type { Leftovers } from "../ports/leftovers.ts";
import type { PoolEvents } from "../ports/pool-events.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Store, WakeUps } from "../ports/store.ts";
import type { Reporter } from "../report/reporter.ts";
import { AppError, wordsOf } from "../shared/app-error.ts";
import { verifyBase } from "../train/verify/verify-base.ts";
import type { BaseRequest, VerifiedBase } from "../train/verify/verify-base.ts";
import type { BackgroundWork } from "./background-work.ts";
import { haltBecause } from "./halt.ts";
import { createPeriodicTasks } from "./periodic-tasks.ts";
import type { PeriodicTasks } from "./periodic-tasks.ts";
import { recover } from "./recover.ts";
import type { InheritedRun } from "./recover.ts";
import type { RepoWatch } from "./repositories/repo-watch.ts";
import type { Settings } from "./repositories/settings.ts";
import { retryAtStart } from "./retry-at-start.ts";
import { stopRuns } from "./stop-runs.ts";
import type { StopPolicy, StopReport } from "./stop-runs.ts";
import { wakeOthers } from "./wake-others.ts";

/** The manifest names the same path. */
const WEBHOOK_PATH = "/api/github/webhooks";

export interface RunningApp {
  /** Where GitHub sends webhooks. */
  readonly webhookUrl: string;
  readonly store: Store;
  readonly pool: PoolEvents;
  /** Keeps the runners in. */
  readonly sandbox: Sandbox;
  /** Resolves when no tick, run or verification is under way. */
  idle(): Promise<void>;
  /** Verifies the base of a repository before anything is asked of it. */
  verifyBase(repo: RepoName, request: BaseRequest): Promise<VerifiedBase>;
  /** Tasks whose runs are under way. */
  working(): readonly TaskId[];
  /** Follows the operator's policy unless another is given. From the first moment on nothing more is taken in. */
  stop(policy?: StopPolicy): Promise<StopReport>;
}

/** The parts that a running app is made of. */
export interface Parts {
  readonly probot: Probot;
  readonly webhookSecret: string;
  readonly deps: Deps;
  readonly settings: Settings;
  readonly repoWatch: RepoWatch;
  readonly loop: Loop;
  readonly background: BackgroundWork;
  readonly leftovers: Leftovers;
  readonly deliveries: Deliveries;
  readonly budgets: { all(): readonly ApiBudget[] };
  readonly reporter: Reporter;
  readonly wakeUps: WakeUps;
  readonly checkStore: (() => Promise<string | undefined>) | undefined;
}

interface Running extends Parts {
  readonly periodicTasks: PeriodicTasks;
  readonly control: Control;
  readonly door: Door;
  readonly cleanup: Cleanup;
  /** Ends listening to other processes on the same store. */
  readonly stopListening: () => void;
}

/** Takes up what an earlier life left, opens the door, and starts the loop. */
export async function runApp(parts: Parts): Promise<RunningApp> {
  const { deps, loop } = parts;
  const intake = intakeOf(parts);
  registerWebhooks(parts.probot, intake);
  const halt = (reason: string): void => haltBecause(reason, { ...deps, loop });
  const periodicTasks = createPeriodicTasks({
    ...parts,
    ...deps,
    halt,
    lookForRepos: () => parts.repoWatch.look(),
    receive: (delivery) => receive(delivery, intake),
  });
  const control = openControl({
    ...deps,
    watched: () => loop.watched(),
    running: () => parts.background.running(),
    budgets: () => parts.budgets.all(),
    heldBack: (repo) => parts.reporter.heldBack(repo),
    wake: (repo) => loop.wake(repo, "github-changed"),
  });
  const handlers = [webhooksOf(parts), answerPing, control.serve];
  parts.background.inherit(await inheritedFrom(parts, halt));
  const door = await openDoor({ ...deps.operator.server, log: deps.log, handlers });
  const cleanup = startCleanup({ ...deps, ...parts, watched: () => loop.watched() });
  const stopListening = parts.wakeUps.onWake((repo) => wakeFromOutside(repo, loop));
  const running: Running = { ...parts, periodicTasks, control, door, cleanup, stopListening };
  try {
    await retryAtStart(() => parts.repoWatch.look(), deps);
    await announce(running);
  } catch (error) {
    await stop(running, "stop");
    throw error;
  }
  periodicTasks.start();
  deps.log.info({ port: door.port, repos: loop.watched().length }, "app started");
  return runningApp(running);
}

/** A damaged store is not believed about runs: everything stays as it is until somebody has looked. */
async function inheritedFrom(
  { deps, settings }: Parts,
  halt: (reason: string) => void,
): Promise<readonly InheritedRun[]> {
  try {
    return await recover(deps, () => retryAtStart(() => settings.discover(), deps));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "store-damaged") throw error;
    halt(error.message);
    return [];
  }
}

/** If this fails, the command line does not find the server, and everything else goes on. */
async function announce({ control, door, deps }: Running): Promise<void> {
  await control.announce(door.host, door.port).catch((err: unknown) => {
    deps.log.error({ err }, "control interface not announced");
    deps.notices.tell(`the command line cannot find this server: ${wordsOf(err)}`);
  });
}

function runningApp(running: Running): RunningApp {
  const { door, deps, background } = running;
  return {
    webhookUrl: `${reachableUrl(door.host, door.port)}${WEBHOOK_PATH}`,
    store: deps.store,
    pool: deps.pool,
    sandbox: deps.sandbox,
    idle: () => idle(running),
    verifyBase: async (repo, request) =>
      verifyBase(await running.settings.contextOf(repo), request, deps),
    working: () => background.running().map(({ task }) => task),
    async stop(policy = deps.operator.onStop) {
      const report = await stop(running, policy);
      await deps.git.close();
      await deps.store.close();
      deps.log.info({}, "app stopped");
      return report;
    },
  };
}

/** Nothing new comes in before anything is ended; the store stays open for last words. */
async function stop(running: Running, policy: StopPolicy): Promise<StopReport> {
  const { loop, background, periodicTasks, control, door, cleanup, deps } = running;
  const { clock, operator } = deps;
  running.stopListening();
  await control.close();
  await door.close();
  await periodicTasks.stop();
  await cleanup.stop();
  // A look may be about to bring a mirror to another name.
  await running.repoWatch.idle();
  await loop.stop();
  return stopRuns(background, { policy, timeoutMs: operator.stopTimeout, clock });
}

function webhooksOf({ probot, webhookSecret: secret, deps }: Parts): Handler {
  const receive = (delivery: Delivery): Promise<void> =>
    probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
  return serveWebhooks({ path: WEBHOOK_PATH, secret, log: deps.log, receive });
}

function intakeOf(parts: Parts): Intake {
  const { deps, settings, loop, repoWatch } = parts;
  const outside = { wakeUps: parts.wakeUps, log: deps.log };
  return {
    store: deps.store,
    now: deps.clock.now,
    botLogin: deps.botLogin,
    configPath: REPO_CONFIG_PATH,
    repoOfCard: (id) => deps.github.repoOfCard(id),
    isAwaited: (repo, report) => deps.github.isAwaited(repo, report),
    configChanged: ({ repo }) => {
      if (repo !== undefined) void repoWatch.fileChanged(repo);
    },
    defaultBranchNamed: (repo, branch) => {
      if (!settings.isNewDefault(repo, branch)) return;
      void repoWatch.lookAgain().then(() => loop.wake(repo, "github-changed"));
    },
    isInstalledOn: (repo) => settings.isInstalledOn(repo),
    unknownNamed: (repo) => void repoWatch.heardOf(repo),
    installationChanged: () => {
      // The app learns only now what it may do, and the webhook's own wake-up came before.
      void repoWatch.lookAgain().then(() => wakeFromOutside(undefined, loop));
    },
    repos: loop,
    // Where the app is alone on its store, nobody else has to be woken.
    wakeOthers:
      deps.operator.store.url === undefined ? undefined : (repo) => wakeOthers(repo, outside),
  };
}

/** An undefined repository means that words may have been missed: everybody is woken. */
function wakeFromOutside(repo: RepoName | undefined, loop: Loop): void {
  for (const one of repo === undefined ? loop.watched() : [repo]) {
    loop.wake(one, "github-changed");
    loop.wake(one, "we-changed");
  }
}

/** Ticks start background work and background work wakes ticks, so the app is idle when neither is left. */
async function idle({ loop, background, periodicTasks, repoWatch }: Running): Promise<void> {
  do {
    await repoWatch.idle();
    await periodicTasks.idle();
    await loop.idle();
    await background.allEnded();
  } while (loop.busy || background.busy || periodicTasks.busy || repoWatch.busy);
}
