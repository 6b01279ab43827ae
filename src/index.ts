import { hostname } from "node:os";
import { createDeliveries } from "./adapters/github/inspection/hook-deliveries.ts";
import { createLeftovers } from "./adapters/host/leftovers.ts";
import type { AppOptions } from "./app/app-options.ts";
import { BackgroundWork } from "./app/background-work.ts";
import { connectGitHub } from "./app/connect-github.ts";
import { haltBecause } from "./app/halt.ts";
import { holderOf, openDataFolder, storeCheck, withWholePaths } from "./app/open-data-folder.ts";
import { patientStore } from "./app/patient-store.ts";
import type { WakeLane } from "./app/pass.ts";
import { prepareRooms } from "./app/prepare-rooms.ts";
import { RepoWatch } from "./app/repositories/repo-watch.ts";
import { Settings } from "./app/repositories/settings.ts";
import { retryAtStart } from "./app/retry-at-start.ts";
import { runApp } from "./app/run-app.ts";
import type { RunningApp } from "./app/run-app.ts";
import { createTicks } from "./app/ticks.ts";
import { wakeOthers } from "./app/wake-others.ts";
import type { RepoName } from "./domain/ids.ts";
import { Loop } from "./loop/loop.ts";
import type { LoopOptions } from "./loop/loop.ts";
import { createPublishingTurns } from "./loop/publishing-turns.ts";
import type { Deps } from "./ports/deps.ts";
import { publishConfig } from "./report/publish/publish-config.ts";

/** Puts the Probot app together from its parts and starts it. */
export async function startApp(given: AppOptions): Promise<RunningApp> {
  const options = await withWholePaths(given);
  const { operator, log } = options;
  const { store, clock, notices, lostStore, aside } = await openDataFolder(options);
  try {
    const rooms = await prepareRooms(options, { clock, aside, notices });
    const { probot, budgets, connection, github, git } = await connectGitHub(options, clock, aside);
    const botLogin = await retryAtStart(() => connection.botLogin(), { clock, log });
    const own = { store, clock, log, operator, holder: holderOf(operator) };
    const patient = patientStore(store, { clock, log });
    const background: BackgroundWork = new BackgroundWork(() => ({ ...deps, store: patient }));
    const deps: Deps = {
      ...own,
      github,
      git,
      botLogin,
      background,
      hostName: operator.server.name ?? hostname(),
      notices,
      lostStore,
      publishing: createPublishingTurns(own),
      ...rooms,
      ...wakers(() => loop, { wakeUps: store.wakeUps, log }),
    };
    const settings = new Settings({ ...deps, announce: (file) => publishConfig(file, deps) });
    const wakeLane: WakeLane = (repo, lane) => loop.wakeLane(repo, lane);
    const { ticks, reporter, forget } = createTicks({ settings, wakeLane }, deps);
    const loop: Loop = createLoop(ticks, deps, () => repoWatch);
    const repoWatch = new RepoWatch({ settings, loop, background, forget, deps });
    return await runApp({
      probot,
      deps,
      settings,
      repoWatch,
      loop,
      background,
      leftovers: createLeftovers(operator.dataDir, git.leftovers, aside),
      budgets,
      webhookSecret: options.identity.webhookSecret,
      checkStore: storeCheck(operator),
      reporter,
      wakeUps: store.wakeUps,
      deliveries: createDeliveries(connection),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Wakers = Pick<Deps, "wake" | "fillSlots" | "wakeOthers">;

function wakers(loop: () => Loop, outside: Parameters<typeof wakeOthers>[1]): Wakers {
  return {
    wake: (repo, reason) => loop().wake(repo, reason),
    fillSlots: (repo) => loop().wakeLane(repo, "start"),
    wakeOthers: (repo) => wakeOthers(repo, outside),
  };
}

function createLoop(
  ticks: LoopOptions["ticks"],
  deps: Pick<Deps, "clock" | "log" | "notices" | "operator">,
  watch: () => Pick<RepoWatch, "troubled" | "lookAgain">,
): Loop {
  const { clock, log, operator, notices } = deps;
  const damaged = (reason: string): void => haltBecause(reason, { log, notices, loop });
  const reconcileEveryMs = operator.reconcileEvery;
  const troubled = (repo: RepoName, lines: readonly string[]): void => {
    notices.set(repo, "trouble", lines);
    if (lines.length > 0) void watch().troubled();
  };
  const moved = (): void => void watch().lookAgain();
  const loop: Loop = new Loop({ clock, log, reconcileEveryMs, ticks, damaged, troubled, moved });
  return loop;
}
