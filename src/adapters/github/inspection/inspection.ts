import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type {
  ProjectFacts,
  AppFacts,
  BranchFacts,
  HookFacts,
  Inspection,
  InstallationFacts,
} from "../../../ports/inspection.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Authentication, Octokit } from "../connection/connection.ts";
import { installedRepo } from "../connection/repo-finder.ts";
import { graphqlErrorsOf, httpFailureOf } from "../connection/github-failure.ts";
import { createConfigReader } from "../create-github.ts";
import { createBranchRules } from "../reading/branches.ts";
import { answerOf } from "./answer-of.ts";
import { readOutOfReach } from "./read-out-of-reach.ts";

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
    outOfReach: (repo, branch) =>
      answerOf(async () =>
        readOutOfReach(await connection.client(repo), { ...ownerAndRepo(repo), ref: branch }),
      ),
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
  const date = headers.date === undefined ? NaN : Date.parse(headers.date);
  return {
    slug: data.slug ?? "",
    owner: ownerFrom(data.owner),
    permissions: grantsFrom(data.permissions),
    events: data.events,
    page: data.html_url,
    answeredAt: Number.isNaN(date) ? undefined : date,
  };
}

type RawOwner = NonNullable<
  Awaited<ReturnType<Octokit["rest"]["apps"]["getAuthenticated"]>>["data"]
>["owner"];

/** An App may have lost its owner, although the types do not say so. */
function ownerFrom(owner: RawOwner | null): AppFacts["owner"] {
  if (owner === null) return undefined;
  const login = "login" in owner ? owner.login : owner.slug;
  const isOrganization = "type" in owner && owner.type === "Organization";
  return { login, kind: isOrganization ? "organization" : "user" };
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

const PROJECT_QUERY = /* GraphQL */ `
  query Project($owner: String!, $number: Int!) {
    account: organization(login: $owner) {
      projectV2(number: $number) {
        id
        title
        closed
        viewerCanUpdate
        items(first: 1) {
          totalCount
        }
        fields(first: 100) {
          nodes {
            ... on ProjectV2FieldCommon {
              name
              dataType
            }
            ... on ProjectV2SingleSelectField {
              options {
                name
              }
            }
          }
        }
      }
    }
  }
`;

interface ProjectAnswer {
  readonly account: {
    readonly projectV2: {
      readonly id: string;
      readonly title: string;
      readonly closed: boolean;
      readonly viewerCanUpdate: boolean;
      readonly items: { readonly totalCount: number };
      readonly fields: {
        readonly nodes:
          | readonly ({
              readonly name: string;
              readonly dataType: string;
              readonly options?: readonly { readonly name: string }[];
            } | null)[]
          | null;
      };
    } | null;
  } | null;
}

/** Returns undefined when the app can see no such project. */
async function readProject(
  connection: Connection,
  repo: RepoName,
  number: number,
): Promise<ProjectFacts | undefined> {
  const client = await connection.client(repo);
  try {
    const answer = await client.graphql<ProjectAnswer>(PROJECT_QUERY, {
      owner: ownerOf(repo),
      number,
    });
    return projectFrom(answer);
  } catch (error) {
    const hidden = graphqlErrorsOf(error)?.some(({ type }) =>
      ["NOT_FOUND", "FORBIDDEN"].includes(type ?? ""),
    );
    if (hidden === true) return undefined;
    throw error;
  }
}

function projectFrom({ account }: ProjectAnswer): ProjectFacts | undefined {
  const project = account?.projectV2;
  if (project === null || project === undefined) return undefined;
  const fields = (project.fields.nodes ?? []).flatMap((field) =>
    field === null
      ? []
      : [
          {
            name: field.name,
            type: field.dataType,
            options: field.options?.map(({ name }) => name),
          },
        ],
  );
  return {
    id: project.id,
    title: project.title,
    closed: project.closed,
    writable: project.viewerCanUpdate,
    cards: project.items.totalCount,
    fields,
  };
}
