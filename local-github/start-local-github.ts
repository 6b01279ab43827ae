import { addOrganization, addUser } from "./actions/accounts.ts";
import { addRepository } from "./actions/add-repository.ts";
import type { NewRepository } from "./actions/add-repository.ts";
import { makeClassicToken } from "./actions/classic-token.ts";
import { createWorld } from "./actions/create-world.ts";
import type { AppSettings } from "./actions/create-world.ts";
import { addToInstallation, installApp, suspendInstallation } from "./actions/installations.ts";
import type { NewInstallation } from "./actions/installations.ts";
import { Person } from "./actions/person.ts";
import { syncRefs } from "./actions/pulls/change-refs.ts";
import {
  addItem,
  createField,
  createProject,
  setItemStatus,
  statusField,
  statusName,
} from "./actions/threads/projects.ts";
import { oneAtATime } from "./git/one-at-a-time.ts";
import { Gate } from "./limits/gate.ts";
import type { Organization, User } from "./model/account.ts";
import type { Installation, InstallationToken } from "./model/app.ts";
import { limitsFrom } from "./model/budget.ts";
import type { WantedLimits } from "./model/budget.ts";
import { findAccount, findUser, itemsWith } from "./model/find.ts";
import type { Issue } from "./model/issue.ts";
import { findOption } from "./model/project.ts";
import type { Project, ProjectItem } from "./model/project.ts";
import type { PullRequest } from "./model/pull-request.ts";
import type { Repository } from "./model/repository.ts";
import { classicRules } from "./model/rule.ts";
import type { BranchRule, ClassicProtection } from "./model/rule.ts";
import type { World } from "./model/world.ts";
import type { PagesOptions } from "./pages/serve-pages.ts";
import { listen } from "./server.ts";
import { QueueFollower } from "./site/queue-follower.ts";
import type { CallCounts, Site } from "./site/site.ts";
import { Webhooks } from "./webhooks/webhooks.ts";
import { Faults } from "./wire/faults.ts";
import type { Latency } from "./wire/faults.ts";
import type { Observer } from "./wire/observer.ts";

export interface LocalGitHubOptions {
  /** Bare repositories live here. */
  readonly dataDir: string;
  /** Any free port is taken when none is given. */
  readonly port?: number;
  readonly app: AppSettings;
  /** These are web pages for a person to read along and review; there are none when not given. */
  readonly pages?: PagesOptions;
  readonly observer?: Observer;
  readonly now?: () => number;
  /** These replace GitHub's limits, for those who ask more on purpose. */
  readonly limits?: WantedLimits;
  /** The API is below `/api/v3` and at `/api/graphql` alone, as on an enterprise server; it is also at the root when not given. */
  readonly enterprise?: boolean;
  /** It says how long answers take; they take no longer than they must when not given. */
  readonly latency?: Partial<Latency>;
}

export interface LocalGitHub {
  /** This is the base URL for the API, for GraphQL and for git. It has no slash at the end. */
  readonly url: string;
  /** A person opens the pages here. The address holds the key to them: nobody else may learn it. */
  readonly pagesUrl: string;
  readonly world: World;
  readonly faults: Faults;
  setWebhookUrl(url: string): void;
  as(login: string): Person;
  calls(): Readonly<CallCounts>;
  /** Resolves when all webhooks under way are delivered or lost. */
  deliverySettled(): Promise<void>;
  close(): Promise<void>;

  addUser(login: string): User;
  addOrganization(login: string): Organization;
  addRepository(wanted: NewRepository): Promise<Repository>;
  /** Makes a copy that belongs to someone else, who may do there as they like. */
  fork(of: Repository, owner: string): Promise<Repository>;
  addRule(repository: Repository, rule: Omit<BranchRule, "rulesetId">): void;
  /** Puts classic branch protection on a branch. */
  protect(repository: Repository, branch: string, options: ClassicProtection): void;
  /** Installs the App; the account itself does it when no actor is given. */
  installApp(wanted: Omit<NewInstallation, "actor"> & { readonly actor?: User }): Installation;
  addToInstallation(installation: Installation, repositories: readonly Repository[]): void;
  /** Makes a person's classic token with these scopes. */
  addClassicToken(login: string, scopes: readonly string[]): InstallationToken;
  suspend(installation: Installation): void;
  addProject(wanted: NewBoard): Project;
  addCard(project: Project, thread: Issue | PullRequest, column?: string): ProjectItem;
  /** Names the column of its card; answers null when it has none. */
  columnOf(thread: Issue | PullRequest): string | null;
  /** Must be called after something other than this GitHub changed a bare repository. */
  refresh(repository: Repository): Promise<void>;
}

export interface NewBoard {
  /** This is the login of an organization or of a person. */
  readonly org: string;
  readonly title: string;
  readonly columns: readonly string[];
  /** These are text and number fields besides Title and Status. */
  readonly fields?: readonly { readonly name: string; readonly dataType: "TEXT" | "NUMBER" }[];
}

/** Starts a GitHub on loopback: REST, GraphQL, signed webhooks and git over HTTP, in this process. */
export async function startLocalGitHub(options: LocalGitHubOptions): Promise<LocalGitHub> {
  const site = createSite(options);
  const { world, webhooks, queues } = site;
  const { server, url, key } = await listen(site, {
    port: options.port ?? 0,
    pages: options.pages,
    enterprise: options.enterprise ?? false,
  });
  world.url = url;
  return {
    url,
    pagesUrl: key === undefined ? `${url}/` : `${url}/?key=${key}`,
    world,
    faults: site.faults,
    setWebhookUrl: (address) => {
      world.app.webhookUrl = address;
    },
    as: (login) => new Person(world, known(findUser(world, login), login)),
    calls: () => ({ ...site.counts }),
    deliverySettled: async () => {
      await queues.settled();
      await webhooks.settled();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // Whoever closes this GitHub may delete its repositories next, so the queues finish first.
      await queues.settled();
      await webhooks.close();
    },
    ...seeding(world),
  };
}

function createSite(options: LocalGitHubOptions): Site {
  const now = options.now ?? Date.now;
  const limits = limitsFrom(options.limits ?? {});
  const world = createWorld({ app: options.app, dataDir: options.dataDir, now, limits });
  const faults = new Faults(options.latency);
  const observer = options.observer ?? {};
  const webhooks = new Webhooks({ world, faults, observer });
  const queues = new QueueFollower(world);
  world.listeners.push((event) => webhooks.tell(event));
  world.listeners.push((event) => queues.follow(event));
  const counts = { rest: 0, graphql: 0, writes: 0, contentWrites: 0, refused: 0 };
  const gate = new Gate({ now, limits, budget: world.budget });
  return { world, faults, observer, webhooks, queues, counts, gate };
}

function seeding(world: World) {
  const owner = (login: string) => findUser(world, login) ?? world.app.bot;
  return {
    addUser: (login: string) => addUser(world, login),
    addOrganization: (login: string) => addOrganization(world, login),
    addRepository: async (wanted: NewRepository) => addRepository(world, wanted),
    fork: async (of: Repository, fork: string) =>
      addRepository(world, {
        owner: fork,
        name: of.name,
        from: of.dir,
        isPrivate: of.isPrivate,
        forkOf: of,
      }),
    addRule: (repository: Repository, rule: Omit<BranchRule, "rulesetId">) => {
      repository.rules.push({ ...rule, rulesetId: 1 + repository.rules.length });
    },
    protect: (repository: Repository, branch: string, options: ClassicProtection) => {
      const rules = classicRules(branch, options).map((rule) => ({ ...rule, rulesetId: 0 }));
      repository.rules.push(...rules);
    },
    installApp: (wanted: Omit<NewInstallation, "actor"> & { readonly actor?: User }) =>
      installApp(world, { ...wanted, actor: wanted.actor ?? owner(wanted.account) }),
    addToInstallation: (installation: Installation, repositories: readonly Repository[]) => {
      const actor = owner(installation.account.login);
      addToInstallation(world, installation, { repositories, actor });
    },
    addClassicToken: (login: string, scopes: readonly string[]) =>
      makeClassicToken(world, known(findUser(world, login), login), scopes),
    suspend: (installation: Installation) => suspendInstallation(world, installation),
    addProject: (wanted: NewBoard) => addProject(world, wanted),
    addCard: (project: Project, thread: Issue | PullRequest, column?: string) =>
      addCard(world, project, { thread, column }),
    columnOf: (thread: Issue | PullRequest) => {
      const [item] = itemsWith(world, thread);
      return item === undefined ? null : statusName(item);
    },
    refresh: async (repository: Repository) =>
      oneAtATime(repository, async () => syncRefs(world, repository, world.app.bot)),
  };
}

function addProject(world: World, wanted: NewBoard): Project {
  const owner = known(findAccount(world, wanted.org), wanted.org);
  const { title, columns } = wanted;
  const actor = owner.kind === "user" ? owner : world.app.bot;
  const project = createProject(world, owner, { title, columns, actor });
  for (const field of wanted.fields ?? []) createField(world, project, field);
  return project;
}

function addCard(
  world: World,
  project: Project,
  card: { readonly thread: Issue | PullRequest; readonly column: string | undefined },
): ProjectItem {
  const actor = card.thread.author;
  const item = addItem(world, project, { content: card.thread, actor });
  if (card.column === undefined) return item;
  const option = known(findOption(statusField(project), card.column), card.column);
  setItemStatus(world, item, { optionId: option.id, actor });
  return item;
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`there is no ${name} here`);
  return found;
}
