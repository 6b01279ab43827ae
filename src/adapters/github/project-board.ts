import type { ColumnRole, RepoReading } from "../../domain/board.ts";
import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { CardMove } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { cardFromItem, present, pullFromNode } from "./parse-reading.ts";
import { READING_QUERY } from "./reading-query.ts";
import type { ItemNode, PullNode, ReadingPage } from "./reading-query.ts";

type Project = NonNullable<NonNullable<ReadingPage["organization"]>["projectV2"]>;

/** The ids that a card move needs, remembered from the last reading. */
interface ProjectIds {
  readonly project: string;
  readonly field: string;
  readonly options: ReadonlyMap<string, string>;
}

export interface ProjectBoard {
  read(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  move(repo: RepoName, config: RepoConfig, moves: readonly CardMove[]): Promise<void>;
}

export function createProjectBoard(connection: Connection, now: () => number): ProjectBoard {
  const known = new Map<string, ProjectIds>();

  async function read(repo: RepoName, config: RepoConfig): Promise<RepoReading> {
    const readAt = now();
    const items: ItemNode[] = [];
    let pulls: readonly PullNode[] = [];
    let after: string | null = null;
    let ids: ProjectIds;
    do {
      const page: ReadingPage = await readPage(connection, { repo, config, after });
      const project = projectOf(page, repo, config);
      if (after === null) pulls = present(page.repository?.pullRequests.nodes);
      ids = idsOf(project, config);
      items.push(...present(project.items.nodes));
      after = project.items.pageInfo.hasNextPage ? project.items.pageInfo.endCursor : null;
    } while (after !== null);
    known.set(keyOf(repo, config), ids);
    return readingFrom({ repo, config, items, pulls, ids, readAt });
  }

  async function move(
    repo: RepoName,
    config: RepoConfig,
    moves: readonly CardMove[],
  ): Promise<void> {
    if (!known.has(keyOf(repo, config))) await read(repo, config);
    const ids = known.get(keyOf(repo, config));
    if (ids === undefined || moves.length === 0) return;
    const possible = moves.filter(({ role }) => ids.options.has(config.board.columns[role]));
    if (possible.length === 0) return;
    const { query, variables } = moveMutation(possible, ids, config);
    await connection.call(repo, "move cards", (client) => client.graphql(query, variables));
  }

  return { read, move };
}

function readPage(
  connection: Connection,
  request: { readonly repo: RepoName; readonly config: RepoConfig; readonly after: string | null },
): Promise<ReadingPage> {
  const { repo, config, after } = request;
  const { owner, repo: name } = ownerAndRepo(repo);
  const { project, statusField: field } = config.board;
  const withPulls = after === null;
  return connection.call(repo, "read the board", async (client) => {
    try {
      const variables = { owner, name, project, field, after, withPulls };
      return await client.graphql<ReadingPage>(READING_QUERY, variables);
    } catch (error) {
      if (hidesProject(error)) return { organization: null };
      throw error;
    }
  });
}

/** An owner that is no organization, or a project that the app may not see, is an error as often as it is null. */
function hidesProject(error: unknown): boolean {
  const errors = graphqlErrorsOf(error) ?? [];
  return errors.some(
    ({ type, path }) =>
      (type === "NOT_FOUND" || type === "FORBIDDEN") &&
      path[0] === "organization" &&
      path.length <= 2,
  );
}

function projectOf(page: ReadingPage, repo: RepoName, config: RepoConfig): Project {
  const project = page.organization?.projectV2;
  // A missing permission shows as null, not as an error: it must never look like an empty board.
  if (project === null || project === undefined) {
    throw new AppError(
      "board-unreadable",
      `project ${config.board.project} of ${ownerAndRepo(repo).owner} cannot be read: it does not exist or the app lacks the organization permission Projects`,
    );
  }
  return project;
}

function idsOf(project: Project, config: RepoConfig): ProjectIds {
  const { field } = project;
  if (field?.id === undefined || field.options === undefined) {
    throw new AppError(
      "board-unreadable",
      `project ${config.board.project} has no single-select field named ${config.board.statusField}`,
    );
  }
  const options = new Map(field.options.map((option) => [option.name, option.id]));
  return { project: project.id, field: field.id, options };
}

function readingFrom(page: {
  readonly repo: RepoName;
  readonly config: RepoConfig;
  readonly items: readonly ItemNode[];
  readonly pulls: readonly PullNode[];
  readonly ids: ProjectIds;
  readonly readAt: number;
}): RepoReading {
  const columns = Object.entries(page.config.board.columns) as [ColumnRole, string][];
  const roles = new Map(columns.map(([role, column]) => [column, role]));
  const cards = page.items.flatMap((item) => {
    const card = cardFromItem(item, (column) => roles.get(column));
    return card?.issue.repo === page.repo ? [card] : [];
  });
  const missingRoles = columns
    .filter(([, column]) => !page.ids.options.has(column))
    .map(([role]) => role);
  return {
    board: { cards, missingRoles },
    pulls: page.pulls.map(pullFromNode),
    readAt: page.readAt,
  };
}

/** One document for all moves, so that a tick that starts eight runs costs one call. */
function moveMutation(
  moves: readonly CardMove[],
  ids: ProjectIds,
  config: RepoConfig,
): { readonly query: string; readonly variables: Record<string, string> } {
  const variables: Record<string, string> = { project: ids.project, field: ids.field };
  const declarations = ["$project: ID!", "$field: ID!"];
  const fields = moves.flatMap((move, index) => {
    const option = ids.options.get(config.board.columns[move.role]);
    if (option === undefined) return [];
    variables[`item${index}`] = move.cardId;
    variables[`option${index}`] = option;
    declarations.push(`$item${index}: ID!`, `$option${index}: String!`);
    return [
      `move${index}: updateProjectV2ItemFieldValue(input: { projectId: $project, itemId: $item${index}, fieldId: $field, value: { singleSelectOptionId: $option${index} } }) { projectV2Item { id } }`,
    ];
  });
  return {
    query: `mutation MoveCards(${declarations.join(", ")}) {\n  ${fields.join("\n  ")}\n}`,
    variables,
  };
}

function keyOf(repo: RepoName, config: RepoConfig): string {
  return `${ownerAndRepo(repo).owner}/${config.board.project}/${config.board.statusField}`;
}
