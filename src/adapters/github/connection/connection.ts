import type { ProbotOctokit } from "probot";
import { instant, nameOf, ownerOf } from "../../../domain/ids.ts";
import type { Instant, RepoName } from "../../../domain/ids.ts";
import type { WriteKind } from "../../../ports/api-budget.ts";
import type { InstalledRepo } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { classify } from "./github-failure.ts";
import { repoFinder } from "./repo-finder.ts";
import type { Clients, Installed } from "./repo-finder.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** The adapter gets its authenticated clients here. Probot provides both. */
export type Authentication = Clients;

/** A document that asks for a repository by its name learns this of it. */
export interface FoundRepository {
  readonly nameWithOwner?: string;
  readonly databaseId?: number | null;
}

/** Knows which installation speaks for which repository. */
export interface Connection {
  listRepos(): Promise<readonly InstalledRepo[]>;
  installationOf(repo: RepoName): Promise<number>;
  /** Returns GitHub's number of the repository, by the last list. */
  idOf(repo: RepoName): Promise<number>;
  /** It is another one when tokens of before are worth nothing: another installation, or one that is back, or another repository of the name. */
  versionOf(repo: RepoName): Promise<string>;
  /** Throws `repo-moved` unless GitHub found under the name what the last list has under it. */
  check(repo: RepoName, found: FoundRepository | null | undefined): void;
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

export function createConnection(auth: Authentication, budgets: Budgets = NO_BUDGETS): Connection {
  const asInstallation = async (id: number): Promise<Octokit> =>
    budgets.watch(id, await auth.asInstallation(id));
  const installations = new Map<RepoName, Installed>();
  let renewals = 0;
  const renew = (): void => {
    renewals += 1;
    auth.renew?.();
  };
  const findRepos = repoFinder({ ...auth, asInstallation, renew });

  async function listRepos(): Promise<readonly InstalledRepo[]> {
    const found = await findRepos();
    const isRegranted = found.some((one) => isOtherGrant(installations.get(one.repo), one));
    for (const one of found) installations.set(one.repo, one);
    if (isRegranted) renew();
    return found;
  }

  async function installed(repo: RepoName): Promise<Installed> {
    if (!installations.has(repo)) await listRepos();
    const known = installations.get(repo);
    if (known === undefined)
      throw new AppError("github-refused", `the app is not installed on ${repo}`);
    return known;
  }

  const installationOf = async (repo: RepoName): Promise<number> =>
    (await installed(repo)).installation;
  const client = async (repo: RepoName): Promise<Octokit> =>
    asInstallation(await installationOf(repo));

  return {
    listRepos,
    installationOf,
    idOf: async (repo) => (await installed(repo)).id,
    versionOf: async (repo) => versionOf(await installed(repo), renewals),
    check: (repo, found) => refuseMoved(installations.get(repo), found),
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

function versionOf({ id, installation }: Installed, renewals: number): string {
  return `${id} ${installation} ${renewals}`;
}

function isOtherGrant(before: Installed | undefined, now: Installed): boolean {
  if (before === undefined) return false;
  return (
    before.mayWriteWorkflows !== now.mayWriteWorkflows ||
    before.mayReadActions !== now.mayReadActions
  );
}

/** Whatever the answer leaves out says nothing. */
function refuseMoved(
  known: Installed | undefined,
  found: FoundRepository | null | undefined,
): void {
  if (known === undefined) return;
  const { nameWithOwner, databaseId } = { ...found };
  const isSame = (nameWithOwner ?? known.repo) === known.repo;
  if (isSame && (databaseId ?? known.id) === known.id) return;
  throw new AppError("repo-moved", `${known.repo} is not what it was: its name or number is new`);
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
