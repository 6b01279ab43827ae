import type { ProbotOctokit } from "probot";
import { instant, nameOf, ownerOf, repoName } from "../../../domain/ids.ts";
import type { Instant, RepoName } from "../../../domain/ids.ts";
import type { WriteKind } from "../../../ports/api-budget.ts";
import type { InstalledRepo } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { classify, httpFailureOf } from "./github-failure.ts";
import { RememberedPages } from "./remembered-pages.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** The adapter gets its authenticated clients here. Probot provides both. */
export interface Authentication {
  asApp(): Promise<Octokit>;
  asInstallation(id: number): Promise<Octokit>;
  /** Forgets all tokens: those of before lack what was granted since. */
  renew?(): void;
}

/** Knows which installation speaks for which repository. */
export interface Connection {
  listRepos(): Promise<readonly InstalledRepo[]>;
  installationOf(repo: RepoName): Promise<number>;
  /** Says whether the repository's installation has the permission for workflow files, by the last list. */
  mayWriteWorkflows(repo: RepoName): Promise<boolean>;
  /** Says whether it has the permission for the jobs of GitHub Actions and their logs, by the last list. */
  mayReadActions(repo: RepoName): Promise<boolean>;
  client(repo: RepoName): Promise<Octokit>;
  /** Runs one call as the repository's installation. Every failure is thrown as an `AppError`. */
  call<T>(repo: RepoName, attempted: string, work: (client: Octokit) => Promise<T>): Promise<T>;
  appClient(): Promise<Octokit>;
  /** Says when a write of this kind could go if it came now. */
  nextWriteAt(repo: RepoName, kind: WriteKind): Promise<Instant>;
  takePush(repo: RepoName): void;
  /** Returns the login under which the app's own writes appear. */
  botLogin(): Promise<string>;
}

/** Holds each installation's requests to its budget. */
export interface Budgets {
  watch(installation: number, client: Octokit): Octokit;
  nextAt(installation: number, kind: WriteKind): Instant;
  /** Throws if too many pushes have gone to the repository. */
  takePush(repo: RepoName): void;
}

const NO_BUDGETS: Budgets = {
  watch: (_, client) => client,
  nextAt: () => instant(0),
  takePush: () => undefined,
};

/** GitHub's tokens live for an hour. They are renewed early so that a push that starts late can still finish. */
const RENEW_BEFORE_MS = 10 * 60_000;

export function createConnection(auth: Authentication, budgets: Budgets = NO_BUDGETS): Connection {
  const asInstallation = async (id: number): Promise<Octokit> =>
    budgets.watch(id, await auth.asInstallation(id));
  const installations = new Map<RepoName, Installed>();
  const findRepos = repoFinder({ ...auth, asInstallation });

  async function listRepos(): Promise<readonly InstalledRepo[]> {
    const found = await findRepos();
    const isRegranted = found.some((one) => isOtherGrant(installations.get(one.repo), one));
    for (const one of found) installations.set(one.repo, one);
    if (isRegranted) auth.renew?.();
    return found;
  }

  async function installed(repo: RepoName): Promise<Installed> {
    if (!installations.has(repo)) await listRepos();
    const known = installations.get(repo);
    if (known === undefined)
      throw new AppError("github-refused", `the app is not installed on ${repo}`);
    return known;
  }

  async function installationOf(repo: RepoName): Promise<number> {
    return (await installed(repo)).installation;
  }

  async function client(repo: RepoName): Promise<Octokit> {
    return asInstallation(await installationOf(repo));
  }

  return {
    listRepos,
    installationOf,
    mayWriteWorkflows: async (repo) => (await installed(repo)).mayWriteWorkflows,
    mayReadActions: async (repo) => (await installed(repo)).mayReadActions,
    client,
    async call(repo, attempted, work) {
      try {
        return await work(await client(repo));
      } catch (error) {
        throw classify(error, attempted);
      }
    },
    appClient: () => auth.asApp(),
    nextWriteAt: async (repo, kind) => budgets.nextAt(await installationOf(repo), kind),
    takePush: (repo) => budgets.takePush(repo),
    botLogin: rememberOnce(() => readBotLogin(auth)),
  };
}

interface Installed extends InstalledRepo {
  readonly installation: number;
  readonly mayWriteWorkflows: boolean;
  readonly mayReadActions: boolean;
}

function isOtherGrant(before: Installed | undefined, now: Installed): boolean {
  if (before === undefined) return false;
  return (
    before.mayWriteWorkflows !== now.mayWriteWorkflows ||
    before.mayReadActions !== now.mayReadActions
  );
}

interface HeldToken {
  readonly token: string;
  readonly expiresAt: number;
  readonly workflows: boolean;
}

/** Gets tokens that are good for one repository's contents, and its workflow files where the installation has that. It keeps them in memory and renews them before they expire. */
export function createGitTokens(
  connection: Connection,
  now: () => number,
): (repo: RepoName) => Promise<string> {
  const held = new Map<RepoName, HeldToken>();
  return async (repo) => {
    try {
      const workflows = await connection.mayWriteWorkflows(repo);
      const present = held.get(repo);
      const isGood = present !== undefined && present.expiresAt - RENEW_BEFORE_MS > now();
      if (isGood && present.workflows === workflows) return present.token;
      const made = await makeToken(connection, repo, workflows).catch(async (error: unknown) => {
        if (!workflows || httpFailureOf(error)?.status !== 422) throw error;
        // The permission was taken back since the list was read.
        await connection.listRepos();
        return makeToken(connection, repo, await connection.mayWriteWorkflows(repo));
      });
      held.set(repo, made);
      return made.token;
    } catch (error) {
      throw classify(error, "get a token for git");
    }
  };
}

async function makeToken(
  connection: Connection,
  repo: RepoName,
  workflows: boolean,
): Promise<HeldToken> {
  const app = await connection.appClient();
  // octokit.auth() is not used, because under Probot it ignores our base URL.
  const { data } = await app.rest.apps.createInstallationAccessToken({
    installation_id: await connection.installationOf(repo),
    repositories: [nameOf(repo)],
    permissions: { contents: "write", ...(workflows && { workflows: "write" }) },
  });
  return { token: data.token, expiresAt: Date.parse(data.expires_at), workflows };
}

export function installedRepo(raw: RawRepository): InstalledRepo {
  return {
    repo: repoName(raw.full_name),
    defaultBranch: raw.default_branch,
    private: raw.private,
    owner: raw.owner.type === "User" ? "user" : "organization",
  };
}

export function ownerAndRepo(repo: RepoName): { readonly owner: string; readonly repo: string } {
  return { owner: ownerOf(repo), repo: nameOf(repo) };
}

/** Asks once and remembers the answer. A failure is not remembered. */
function rememberOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function readBotLogin(auth: Authentication): Promise<string> {
  try {
    const { data } = await (await auth.asApp()).rest.apps.getAuthenticated();
    if (data?.slug === undefined) throw new AppError("github-refused", "the app has no name");
    return `${data.slug}[bot]`;
  } catch (error) {
    throw classify(error, "read the app's name");
  }
}

/** GitHub says for nothing that the lists are as they were. */
function repoFinder(auth: Authentication): () => Promise<readonly Installed[]> {
  const grants = new RememberedPages<Grant>();
  const repos = new RememberedPages<InstalledRepo>();
  let known: ReadonlySet<number> | undefined;
  return async () => {
    try {
      const app = await auth.asApp();
      const granted = await grants.read("installations", async (where) => {
        const { data, headers } = await app.rest.apps.listInstallations({ ...FULL, ...where });
        return { items: data.map(grantOf), headers };
      });
      const active = granted.filter(({ isActive }) => isActive);
      renewIfBack(active);
      const found = active.map((grant) => reposOf(grant));
      return (await Promise.all(found)).flat();
    } catch (error) {
      throw classify(error, "list the repositories");
    }
  };

  /** Tokens of before a suspension are worth nothing after it, and would be used for the rest of their hour. */
  function renewIfBack(active: readonly Grant[]): void {
    if (known !== undefined && active.some(({ id }) => known?.has(id) === false)) auth.renew?.();
    known = new Set(active.map(({ id }) => id));
  }

  async function reposOf({ id, granted }: Grant): Promise<readonly Installed[]> {
    const client = await auth.asInstallation(id);
    const listed = await repos.read(String(id), async (where) => {
      const { listReposAccessibleToInstallation: list } = client.rest.apps;
      const { data, headers } = await list({ ...FULL, ...where });
      return { items: data.repositories.map(installedRepo), headers };
    });
    return listed.map((repo) => ({ ...repo, installation: id, ...granted }));
  }
}

const FULL = { per_page: 100 };

interface Grant {
  readonly id: number;
  readonly isActive: boolean;
  readonly granted: Pick<Installed, "mayWriteWorkflows" | "mayReadActions">;
}

/** A suspended installation gets no token. Asking for one would fail and hide the repositories of all the others. */
function grantOf(raw: {
  readonly id: number;
  readonly suspended_at: string | null;
  readonly permissions: { readonly workflows?: string; readonly actions?: string };
}): Grant {
  return {
    id: raw.id,
    isActive: raw.suspended_at === null,
    granted: {
      mayWriteWorkflows: raw.permissions.workflows === "write",
      mayReadActions: raw.permissions.actions !== undefined,
    },
  };
}

interface RawRepository {
  readonly full_name: string;
  readonly default_branch: string;
  readonly private: boolean;
  readonly owner: { readonly type: string };
}
