import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { projectOwner } from "../connection/personal-access.ts";
import { present } from "../reading/parse-reading.ts";
import type { FieldNode } from "../reading/reading-nodes.ts";
import { MutationDocument } from "./mutation-document.ts";

export interface CardClient {
  readonly query: <T>(document: string, variables: Record<string, unknown>) => Promise<T>;
}

export interface CardRequest {
  readonly repo: RepoName;
  readonly config: RepoConfig;
  readonly owner: "organization" | "user";
  /** These are the node ids of the issues. */
  readonly nodes: readonly string[];
}

interface ProjectAnswer {
  readonly account: {
    readonly projectV2: {
      readonly id: string;
      readonly field: FieldNode | null;
    } | null;
  } | null;
}

const PROJECT = /* GraphQL */ `
  query ProjectOf($owner: String!, $project: Int!, $field: String!) {
    account: organization(login: $owner) {
      projectV2(number: $project) {
        id
        field(name: $field) {
          ... on ProjectV2SingleSelectField {
            id
            options {
              id
              name
            }
          }
        }
      }
    }
  }
`;

/** Adds all cards with two mutations. A card that is already in a column stays there. */
export async function addCards(client: CardClient, request: CardRequest): Promise<void> {
  const { config, nodes } = request;
  const { board, objectives } = config;
  if (board.kind === "labels" || nodes.length === 0) return;
  const project = await readProject(client, request);
  const added = await addItems(client, { project: project.id, field: board.statusField, nodes });
  const column = project.field?.options?.find(({ name }) => name === objectives.column);
  if (column === undefined || project.field?.id === undefined) return;
  const place = { project: project.id, field: project.field.id, option: column.id };
  await setColumn(client, place, added);
}

type Project = NonNullable<NonNullable<ProjectAnswer["account"]>["projectV2"]>;

async function readProject(
  client: CardClient,
  { repo, config: { board }, owner }: CardRequest,
): Promise<Project> {
  const isPersonal = board.kind === "user-project";
  const login = isPersonal ? projectOwner(repo, board) : ownerOf(repo);
  const { account } = await client.query<ProjectAnswer>(
    PROJECT.replace("organization(login:", `${isPersonal ? "user" : owner}(login:`),
    { owner: login, project: board.project, field: board.statusField },
  );
  const project = account?.projectV2;
  if (project) return project;
  throw new AppError("board-unreadable", `project ${board.project} of ${login} cannot be read`);
}

interface AddedItem {
  readonly item: { readonly id: string; readonly status: { readonly name?: string } | null } | null;
}

/** Returns the ids of the cards that are in no column. */
async function addItems(
  client: CardClient,
  wanted: {
    readonly project: string;
    readonly field: string;
    readonly nodes: readonly string[];
  },
): Promise<readonly string[]> {
  const document = new MutationDocument();
  const project = document.variable("ID!", wanted.project);
  const field = document.variable("String!", wanted.field);
  const status = `fieldValueByName(name: ${field}) { ... on ProjectV2ItemFieldSingleSelectValue { name } }`;
  for (const node of wanted.nodes) {
    const content = document.variable("ID!", node);
    document.add(
      "addProjectV2ItemById",
      `projectId: ${project}, contentId: ${content}`,
      `item { id status: ${status} }`,
    );
  }
  const { query, variables } = document;
  const answer = await client.query<Record<string, AddedItem | null>>(query, variables);
  const items = present(Object.values(answer)).flatMap(({ item }) => item ?? []);
  return items.filter(({ status: at }) => at?.name === undefined).map(({ id }) => id);
}

async function setColumn(
  client: CardClient,
  place: { readonly project: string; readonly field: string; readonly option: string },
  items: readonly string[],
): Promise<void> {
  if (items.length === 0) return;
  const document = new MutationDocument();
  const [project, field] = [
    document.variable("ID!", place.project),
    document.variable("ID!", place.field),
  ];
  const option = document.variable("String!", place.option);
  for (const item of items) {
    document.add(
      "updateProjectV2ItemFieldValue",
      `projectId: ${project}, itemId: ${document.variable("ID!", item)}, fieldId: ${field}, value: { singleSelectOptionId: ${option} }`,
      "projectV2Item { id }",
    );
  }
  await client.query(document.query, document.variables);
}
