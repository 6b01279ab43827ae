import type { ProbotOctokit } from "probot";
import type { InstalledRepo } from "../../ports/github.ts";
import type { WriteKind } from "../../ports/api-budget.ts";
import type { Instant, RepoName } from "../../domain/ids.ts";
import { instant, nameOf, ownerOf, repoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { classify } from "./classify.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** How the adapter gets an authenticated client; Probot provides both. */
export interface Authentication {
  asApp(): Promise<Octokit>;
  asInstallation(id: number): Promise<Octokit>;
}

/** Knows which installation speaks for which repository. */
export interface Connection {
  listRepos(): Promise<readonly InstalledRepo[]>;
  installationOf(repo: RepoName): Promise<number>;
  client(repo: RepoName): Promise<Octokit>;
  /** Runs one call as the repository's installation; whatever goes wrong comes out classified. */
  call<T>(repo: RepoName, attempted: string, work: (client: Octokit) => Promise<T>): Promise<T>;
  appClient(): Promise<Octokit>;
  /** When a write of this kind could go if it came now. */
  nextWriteAt(repo: RepoName, kind: WriteKind): Promise<Instant>;
  /** The login under which the app's own writes appear. */
  botLogin(): Promise<string>;
}

/** Holds each installation's requests to its budget. */
export interface Budgets {
  watch(installation: number, client: Octokit): Octokit;
  nextAt(installation: number, kind: WriteKind): Instant;
}

const NO_BUDGETS: Budgets = { watch: (_, client) => client, nextAt: () => instant(0) };

export function createConnection(auth: Authentication, budgets: Budgets = NO_BUDGETS): Connection {
  const asInstallation = async (id: number): Promise<Octokit> =>
    budgets.watch(id, await auth.asInstallation(id));
  const installations = new Map<RepoName, number>();

  async function listRepos(): Promise<readonly InstalledRepo[]> {
    const found = await findRepos({ asApp: () => auth.asApp(), asInstallation });
    for (const { repo, installation } of found) installations.set(repo, installation);
    return found;
  }

  async function installationOf(repo: RepoName): Promise<number> {
    if (!installations.has(repo)) await listRepos();
    const id = installations.get(repo);
    if (id === undefined)
      throw new AppError("github-refused", `the app is not installed on ${repo}`);
    return id;
  }

  async function client(repo: RepoName): Promise<Octokit> {
    return asInstallation(await installationOf(repo));
  }

  return {
    listRepos,
    installationOf,
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
    botLogin: rememberOnce(() => readBotLogin(auth)),
  };
}

/** Asks once; a failure is not remembered. */
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

async function findRepos(
  auth: Authentication,
): Promise<readonly (InstalledRepo & { readonly installation: number })[]> {
  try {
    const app = await auth.asApp();
    const installations = await app.paginate(app.rest.apps.listInstallations);
    const found = await Promise.all(
      installations.filter(isActive).map(async ({ id }) => {
        const client = await auth.asInstallation(id);
        const repos = await client.paginate(client.rest.apps.listReposAccessibleToInstallation);
        return repos.map((repo) => ({ ...installedRepo(repo), installation: id }));
      }),
    );
    return found.flat();
  } catch (error) {
    throw classify(error, "list the repositories");
  }
}

/** A suspended one gets no token: asking for it would keep all others from being seen. */
function isActive({ suspended_at: since }: { readonly suspended_at: string | null }): boolean {
  return since === null;
}

interface RawRepository {
  readonly full_name: string;
  readonly default_branch: string;
  readonly private: boolean;
  readonly owner: { readonly type: string };
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
