import type {
  AppFacts,
  BranchFacts,
  HookFacts,
  Inspection,
  InstallationFacts,
} from "../../../ports/inspection.ts";
import { installedRepo, ownerAndRepo } from "../connection/connection.ts";
import type { Authentication, Connection, Octokit } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { createConfigReader } from "../create-github.ts";
import { createBranchRules } from "../reading/branches.ts";
import { answerOf } from "./answer-of.ts";
import { readProject } from "./project-inspection.ts";

const MAX_DELIVERIES = 20;

/** Reads a set-up as the app itself can see it. */
export function createInspection(auth: Authentication, connection: Connection): Inspection {
  const asApp = <T>(ask: (client: Octokit) => Promise<T>) =>
    answerOf(async () => ask(await auth.asApp()));
  const readConfig = createConfigReader(connection);
  const rules = createBranchRules(connection, () => 0);
  return {
    app: () => asApp(readApp),
    hook: () => asApp(readHook),
    deliveries: () => asApp(readDeliveries),
    installations: () =>
      asApp(async (client) =>
        (await client.paginate(client.rest.apps.listInstallations)).map(installationFrom),
      ),
    repositories: (id) =>
      answerOf(async () => {
        const client = await auth.asInstallation(id);
        const repos = await client.paginate(client.rest.apps.listReposAccessibleToInstallation);
        return repos.map(installedRepo);
      }),
    configFile: (repo) => answerOf(async () => (await readConfig(repo))?.text),
    branch: (repo, branch) =>
      answerOf(async () =>
        branchFrom(await connection.client(repo), { ...ownerAndRepo(repo), branch }),
      ),
    rules: (repo, branch) => answerOf(() => rules(repo, branch)),
    labels: (repo) =>
      answerOf(async () => {
        const client = await connection.client(repo);
        const at = { ...ownerAndRepo(repo), per_page: 100 };
        const labels = await client.paginate(client.rest.issues.listLabelsForRepo, at);
        return labels.map(({ name }) => name);
      }),
    project: (repo, number) => answerOf(async () => readProject(connection, repo, number)),
  };
}

async function readApp(client: Octokit): Promise<AppFacts> {
  const { data, headers } = await client.rest.apps.getAuthenticated();
  if (data === null) throw new Error("GitHub did not tell which app this is");
  const { owner } = data;
  const login = "login" in owner ? owner.login : owner.slug;
  const isOrganization = "type" in owner && owner.type === "Organization";
  const date = headers.date === undefined ? NaN : Date.parse(headers.date);
  return {
    slug: data.slug ?? "",
    owner: { login, kind: isOrganization ? "organization" : "user" },
    permissions: grantsFrom(data.permissions),
    events: data.events,
    page: data.html_url,
    answeredAt: Number.isNaN(date) ? undefined : date,
  };
}

async function readHook(client: Octokit): Promise<HookFacts> {
  const { data } = await client.rest.apps.getWebhookConfigForApp();
  return {
    url: data.url === "" ? undefined : data.url,
    signed: data.secret !== undefined && data.secret !== "",
    json: data.content_type === "json",
    checksCertificate: String(data.insecure_ssl ?? "0") === "0",
  };
}

async function readDeliveries(client: Octokit) {
  const { data } = await client.rest.apps.listWebhookDeliveries({ per_page: MAX_DELIVERIES });
  return data.map(({ event, status_code: status }) => ({ event, status }));
}

type RawInstallation = Awaited<
  ReturnType<Octokit["rest"]["apps"]["listInstallations"]>
>["data"][number];

function installationFrom(raw: RawInstallation): InstallationFacts {
  const { account } = raw;
  return {
    id: raw.id,
    account: account?.login ?? "",
    kind: raw.target_type === "Organization" ? "organization" : "user",
    suspended: raw.suspended_at !== null,
    permissions: grantsFrom(raw.permissions),
    page: raw.html_url,
  };
}

function grantsFrom(permissions: object): Readonly<Record<string, string>> {
  const known = Object.entries(permissions).filter(([, level]) => typeof level === "string");
  return Object.fromEntries(known);
}

async function branchFrom(
  client: Octokit,
  at: { readonly owner: string; readonly repo: string; readonly branch: string },
): Promise<BranchFacts | undefined> {
  try {
    const { data } = await client.rest.repos.getBranch(at);
    return { protected: data.protected };
  } catch (error) {
    if (httpFailureOf(error)?.status === 404) return undefined;
    throw error;
  }
}
