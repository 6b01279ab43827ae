import { randomUUID } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createAside, readAsideNotes } from "../adapters/host/aside.ts";
import { createClock } from "../adapters/host/clock.ts";
import { describeOddity } from "../adapters/host/oddity.ts";
import { prepareDataFolder } from "../adapters/host/prepare-data-folder.ts";
import { checkDatabase } from "../adapters/store/engines/check-database.ts";
import { openStore, STORE_FILES } from "../adapters/store/open-store.ts";
import type { OpenStore, OwnStoreOptions } from "../adapters/store/store-options.ts";
import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { Clock } from "../ports/clock.ts";
import type { Aside } from "../ports/host.ts";
import type { Notices } from "../ports/notices.ts";
import type { LostStore } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import type { AppOptions } from "./app-options.ts";
import { createLostStore } from "./lost-store.ts";
import { createNotices } from "./notices.ts";
import { retryAtStart } from "./retry-at-start.ts";
import type { Parts } from "./run-app.ts";

/** Makes the data folder's path absolute and free of links. Runners work in other folders, and a sandbox would hide only one of two names. */
export async function withWholePaths(options: AppOptions): Promise<AppOptions> {
  const { operator } = options;
  await mkdir(operator.dataDir, { recursive: true }).catch(() => undefined);
  const dataDir = await realpath(operator.dataDir).catch(() => resolve(operator.dataDir));
  return { ...options, operator: { ...operator, dataDir } };
}

export interface DataFolder {
  readonly store: OpenStore;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly lostStore: LostStore;
  readonly aside: Aside;
}

export async function openDataFolder(options: AppOptions): Promise<DataFolder> {
  const notices = createNotices(options.log);
  const aside = await openAside(options, notices);
  const { store, clock } = await openClockedStore(options, aside);
  const lostStore = createLostStore({ store, notices, log: options.log });
  return { store, clock, notices, lostStore, aside };
}

/** Opens the folder for what is put aside before anything else is opened. What earlier lives put there is told until somebody has taken it away. */
async function openAside(
  { operator, log, ...options }: AppOptions,
  notices: Notices,
): Promise<Aside> {
  const { dataDir } = operator;
  const { now } = options.clock ?? createClock();
  for (const oddity of await readAsideNotes(dataDir)) notices.tell(describeOddity(oddity));
  const aside = createAside({
    dataDir,
    now,
    say: (oddity) => {
      log.warn(oddity, oddity.movedTo === undefined ? "something is in the way" : "moved aside");
      notices.tell(describeOddity(oddity));
    },
  });
  await prepareDataFolder(dataDir, aside);
  return aside;
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
  const store = await retryAtStart(open, { clock: own, log, forEver: true });
  return { store, clock: { now: store.now, after: (ms, fire) => own.after(ms, fire) } };
}

/** A store that cannot even be opened goes aside: GitHub has what is needed to go on with a new one. */
async function openOwnStore(options: OwnStoreOptions, aside: Aside): Promise<OpenStore> {
  try {
    return await openStore(options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "store-damaged") throw error;
    for (const name of STORE_FILES) await aside.put(join(options.path, name), error.message);
    return openStore(options);
  }
}

/** A database server looks after its own files, so only an embedded store is checked. */
export function storeCheck({ store, dataDir }: OperatorConfig): Parts["checkStore"] {
  return store.url === undefined ? () => checkDatabase(join(dataDir, "store")) : undefined;
}

/** An embedded store has one owner at a time: its next life takes its leases back at once. Others wait for them to end. */
export function holderOf({ store }: OperatorConfig): string {
  return store.url === undefined ? "the owner of the store" : randomUUID();
}
