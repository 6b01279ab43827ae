import { randomUUID } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { Probot } from "probot";
import { Activities } from "./background.ts";
import { createAside } from "./adapters/aside.ts";
import { readAsideNotes } from "./adapters/aside-notes.ts";
import { createClock } from "./adapters/clock.ts";
import { createGit } from "./adapters/git/create-git.ts";
import type { GitOptions } from "./adapters/git/mirror-git.ts";
import { ApiBudgets } from "./adapters/github/api-budgets.ts";
import { createConnection } from "./adapters/github/connection.ts";
import type { Connection } from "./adapters/github/connection.ts";
import { createGitHub } from "./adapters/github/create-github.ts";
import { createProbot } from "./adapters/github/create-probot.ts";
import { createDeliveries } from "./adapters/github/hook-deliveries.ts";
import { createPersonalAccess } from "./adapters/github/personal-access.ts";
import type { PersonalAccess } from "./adapters/github/personal-access.ts";
import { createPersonalTokens } from "./adapters/github/personal-tokens.ts";
import { createFiles } from "./adapters/files.ts";
import { createHost } from "./adapters/host.ts";
import { createLeftovers } from "./adapters/leftovers.ts";
import { prepareDataFolder } from "./adapters/prepare-data-folder.ts";
import { createProcesses } from "./adapters/process.ts";
import { createSandbox } from "./adapters/sandbox.ts";
import { checkDatabase } from "./adapters/store/check-database.ts";
import { openStore, STORE_FILES } from "./adapters/store/open-store.ts";
import type { OpenStore, OwnStoreOptions } from "./adapters/store/store-options.ts";
import type { OperatorConfig } from "./config/schema.ts";
import type { Deps } from "./deps.ts";
import { describeOddity } from "./domain/oddity.ts";
import { haltBecause } from "./halt.ts";
import { Loop } from "./loop.ts";
import type { LoopOptions } from "./loop.ts";
import { Notices } from "./notices.ts";
import { patientStore } from "./patient-store.ts";
import { persist } from "./persist.ts";
import type { Aside } from "./ports/aside.ts";
import type { Clock } from "./ports/clock.ts";
import { PoolEvents } from "./pool-events.ts";
import { publishConfig } from "./report/publish-config.ts";
import { runApp } from "./run-app.ts";
import type { Parts, RunningApp } from "./run-app.ts";
import { Settings } from "./settings.ts";
import { wakeOthers } from "./wake-others.ts";
import { AppError } from "./shared/app-error.ts";
import { createKeyedQueue } from "./shared/keyed-queue.ts";
import { createTicks } from "./tick-repo.ts";
import { FinishingRoom } from "./runner/finishing-room.ts";
import { checkRunners } from "./runner/check-runners.ts";
import { PortRanges } from "./workspace/ports.ts";

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
  /** The host's own unless given. */
  readonly clock?: Clock;
}

/** The composition root: the only place that names concrete adapters. */
export async function startApp(given: AppOptions): Promise<RunningApp> {
  const options = await withWholePaths(given);
  const { operator, log } = options;
  const { store, clock, notices, aside } = await openDataFolder(options);
  try {
    const rooms = await prepareRooms(options, clock, aside);
    const probot = await createProbot({ ...options, apiUrl: operator.github.apiUrl });
    const budgets = new ApiBudgets(clock, operator.github.pacing);
    const connection = connect(probot, budgets);
    const github = createGitHub(connection, clock.now, personalAccess(options));
    const botLogin = await persist(() => connection.botLogin(), { clock, log });
    const patient = patientStore(store, { clock, log });
    const activities: Activities = new Activities(() => ({ ...deps, store: patient }));
    const token: GitOptions["token"] = (repo) => github.gitToken(repo);
    const git = createGit({ ...gitOptions(options), token, now: clock.now, aside });
    const leftovers = createLeftovers(operator.dataDir, git.leftovers, aside);
    const deps: Deps = {
      ...{ github, store, git, clock, log, operator, botLogin, background: activities },
      ...{ holder: holderOf(operator), hostName: operator.server.name ?? hostname() },
      ...{ notices, pool: new PoolEvents(log) },
      ...rooms,
      wake: (repo, reason) => loop.wake(repo, reason),
      fillSlots: (repo) => loop.wakeLane(repo, "start"),
      wakeOthers: (repo) => wakeOthers(repo, { wakeUps: store.wakeUps, log }),
    };
    const settings = new Settings({ ...deps, announce: (verdict) => publishConfig(verdict, deps) });
    const { ticks, reporter } = createTicks(settings, deps, (repo, lane) =>
      loop.wakeLane(repo, lane),
    );
    const loop: Loop = createLoop(ticks, deps);
    return await runApp({
      ...{ probot, deps, settings, loop, activities, leftovers, budgets },
      ...{ webhookSecret: options.identity.webhookSecret, checkStore: storeCheck(operator) },
      ...{ reporter, wakeUps: store.wakeUps, deliveries: createDeliveries(connection) },
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function personalAccess({ operator, environment }: AppOptions): PersonalAccess {
  const tokens = createPersonalTokens(operator.personalProjects, environment);
  return createPersonalAccess(operator.github.apiUrl, tokens);
}

function connect(probot: Probot, budgets: ApiBudgets): Connection {
  const auth = { asApp: () => probot.auth(), asInstallation: (id: number) => probot.auth(id) };
  return createConnection(auth, budgets);
}

/** Runners work in folders of their own, where a relative path would be another one; and a link would give the folder two names, of which a sandbox hides one. */
async function withWholePaths(options: AppOptions): Promise<AppOptions> {
  const { operator } = options;
  await mkdir(operator.dataDir, { recursive: true }).catch(() => undefined);
  const dataDir = await realpath(operator.dataDir).catch(() => resolve(operator.dataDir));
  return { ...options, operator: { ...operator, dataDir } };
}

function createLoop(ticks: LoopOptions["ticks"], deps: Deps): Loop {
  const { clock, log, operator, notices } = deps;
  const damaged = (reason: string): void => haltBecause(reason, { log, notices, loop });
  const reconcileEveryMs = operator.reconcileEvery;
  const loop: Loop = new Loop({ clock, log, reconcileEveryMs, ticks, damaged });
  return loop;
}

/** A database that others keep is theirs to look after. */
function storeCheck({ store, dataDir }: OperatorConfig): Parts["checkStore"] {
  return store.url === undefined ? () => checkDatabase(join(dataDir, "store")) : undefined;
}

interface DataFolder {
  readonly store: OpenStore;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly aside: Aside;
}

async function openDataFolder(options: AppOptions): Promise<DataFolder> {
  const notices = new Notices(options.log);
  const aside = await openAside(options, notices);
  return { ...(await openClockedStore(options, aside)), notices, aside };
}

/** Before anything else is opened; what earlier lives put there is told until somebody has taken it away. */
async function openAside(
  { operator, log, ...options }: AppOptions,
  notices: Notices,
): Promise<Aside> {
  const { dataDir } = operator;
  const { now } = options.clock ?? createClock();
  for (const oddity of await readAsideNotes(dataDir)) notices.tell(describeOddity(oddity));
  const aside = createAside({
    ...{ dataDir, now },
    say: (oddity) => {
      log.warn(oddity, oddity.movedTo === undefined ? "something is in the way" : "moved aside");
      notices.tell(describeOddity(oddity));
    },
  });
  await prepareDataFolder(dataDir, aside);
  return aside;
}

type Rooms = Pick<
  Deps,
  "sandbox" | "files" | "ports" | "processes" | "host" | "finishing" | "publishing"
>;

/** What runs are kept in. What is not safe on this host is refused before anything is started. */
async function prepareRooms(
  { operator, environment, log }: AppOptions,
  clock: Clock,
  aside: Aside,
): Promise<Rooms> {
  const sandbox = await createSandbox({ operator, environment });
  const files = createFiles(environment);
  await checkRunners({ operator, sandbox, files, log });
  const processes = createProcesses({
    folder: join(operator.dataDir, "runs"),
    aside,
    endElsewhere: sandbox.end,
  });
  const host = createHost(operator.dataDir, environment, aside);
  return {
    sandbox,
    files,
    processes,
    host,
    ports: new PortRanges(operator.ports),
    finishing: new FinishingRoom(operator.finishing, clock),
    publishing: createKeyedQueue(),
  };
}

/** An embedded store has one owner at a time: its next life takes its leases back at once. Others wait for them to end. */
function holderOf({ store }: OperatorConfig): string {
  return store.url === undefined ? "the owner of the store" : randomUUID();
}

/** Everybody on a shared store goes by its clock, so that no server takes another's runs for dead because its own is wrong. */
async function openClockedStore(
  { operator, log, clock: given }: AppOptions,
  aside: Aside,
): Promise<{ readonly store: OpenStore; readonly clock: Clock }> {
  const own = given ?? createClock();
  const staleAfterMs = operator.claimsStaleAfter;
  const { url } = operator.store;
  const open = (): Promise<OpenStore> => {
    if (url === undefined)
      return openOwnStore(
        { path: join(operator.dataDir, "store"), staleAfterMs, now: own.now },
        aside,
      );
    return openStore({ kind: "postgres", url, staleAfterMs, ...(given && { now: given.now }) });
  };
  const store = await persist(open, { clock: own, log, forEver: true });
  return { store, clock: { now: store.now, after: (ms, fire) => own.after(ms, fire) } };
}

/** One that cannot even be opened goes aside: GitHub has what is needed to go on with a new one. */
async function openOwnStore(options: OwnStoreOptions, aside: Aside): Promise<OpenStore> {
  try {
    return await openStore(options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "store-damaged") throw error;
    for (const name of STORE_FILES) await aside.put(join(options.path, name), error.message);
    return openStore(options);
  }
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
