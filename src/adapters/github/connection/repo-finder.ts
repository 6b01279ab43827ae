import type { ProbotOctokit } from "probot";
import { repoName } from "../../../domain/ids.ts";
import type { InstalledRepo } from "../../../ports/github.ts";
import { classify } from "./github-failure.ts";
import { RememberedPages } from "./remembered-pages.ts";

/** It gets authenticated clients. Probot provides both. */
export interface Clients {
  asApp(): Promise<InstanceType<typeof ProbotOctokit>>;
  asInstallation(id: number): Promise<InstanceType<typeof ProbotOctokit>>;
  /** Forgets all tokens: those of before lack what was granted since. */
  renew?(): void;
}

export interface Installed extends InstalledRepo {
  readonly installation: number;
  readonly mayWriteWorkflows: boolean;
  readonly mayReadActions: boolean;
}

/** GitHub says for nothing that the lists are as they were. */
export function repoFinder(auth: Clients): () => Promise<readonly Installed[]> {
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
      const found = active.map((grant) => reposOf(grant).catch(noneIfRefused));
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

/** An account that shuts the app out hides its own repositories, and nobody else's. */
function noneIfRefused(error: unknown): readonly Installed[] {
  const failure = classify(error, "list the repositories of an installation");
  if (failure.code === "github-refused") return [];
  throw failure;
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
  readonly id: number;
  readonly full_name: string;
  readonly default_branch: string;
  readonly private: boolean;
  readonly owner: { readonly type: string };
}

export function installedRepo(raw: RawRepository): InstalledRepo {
  return {
    id: raw.id,
    repo: repoName(raw.full_name),
    defaultBranch: raw.default_branch,
    private: raw.private,
    owner: raw.owner.type === "User" ? "user" : "organization",
  };
}
