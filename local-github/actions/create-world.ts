import type { Organization, User } from "../model/account.ts";
import type { App } from "../model/app.ts";
import { Budget, GITHUB_LIMITS } from "../model/budget.ts";
import type { Limits } from "../model/budget.ts";
import { identity } from "../model/ids.ts";
import type { Identity } from "../model/ids.ts";
import { isoSeconds, register } from "../model/world.ts";
import type { World } from "../model/world.ts";

export interface AppSettings {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** It is in PEM format. */
  readonly publicKey: string;
  readonly webhookSecret: string;
  readonly webhookUrl?: string;
}

export interface WorldSettings {
  readonly app: AppSettings;
  readonly dataDir: string;
  readonly now: () => number;
  /** GitHub's own limits hold when none are given. */
  readonly limits?: Limits;
}

/** Makes an empty GitHub: it has one App, its bot, and the account that owns the App. */
export function createWorld(settings: WorldSettings): World {
  const counter = { lastId: 1000 };
  const createdAt = isoSeconds(settings.now());
  const bot = newBot(identity(counter, "BOT"), settings.app.slug, createdAt);
  const owner: Organization = {
    kind: "organization",
    ...identity(counter, "O"),
    login: `${settings.app.slug}-owner`,
    type: "Organization",
    createdAt,
  };
  const world: World = {
    app: newApp(settings.app, { owner, bot, nodeId: identity(counter, "A").nodeId, createdAt }),
    manifests: new Map(),
    url: "",
    dataDir: settings.dataDir,
    now: settings.now,
    budget: new Budget(settings.now, settings.limits ?? GITHUB_LIMITS),
    lastId: counter.lastId,
    accounts: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    threads: new Map(),
    projects: [],
    mergeQueues: [],
    checkSuites: [],
    checkRuns: [],
    statuses: [],
    jobs: new Map(),
    logLinks: new Map(),
    lfsLinks: new Map(),
    installations: [],
    tokens: new Map(),
    deliveries: [],
    wrongLandings: 0,
    nodes: new Map(),
    listeners: [],
  };
  for (const account of [owner, bot]) {
    world.accounts.set(account.login.toLowerCase(), register(world, account));
  }
  return world;
}

export function newBot(ids: Identity, slug: string, createdAt: string): User {
  return { kind: "user", ...ids, login: `${slug}[bot]`, type: "Bot", createdAt };
}

function newApp(
  settings: AppSettings,
  rest: Pick<App, "owner" | "bot" | "nodeId" | "createdAt">,
): App {
  return { ...settings, ...rest, webhookUrl: settings.webhookUrl ?? null };
}
