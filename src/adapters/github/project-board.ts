import type { RepoReading } from "../../domain/board.ts";
import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import { nameOf, ownerOf } from "../../domain/ids.ts";
import type { CardMove } from "../../ports/github.ts";
import { cardsOf, columnsOf, nullIfHidden, pageVariables, readBoardPages } from "./board-pages.ts";
import type { BoardPages } from "./board-pages.ts";
import type { Connection } from "./connection.ts";
import { present, pullFromNode } from "./parse-reading.ts";
import { MORE_PULLS, readingQuery } from "./reading-query.ts";
import type { MorePulls, PullNode, PullPage, ReadingPage } from "./reading-query.ts";

/** The ids that a card move needs, remembered from the last reading. */
type ProjectIds = Pick<BoardPages, "project" | "field" | "options">;

const QUERY = readingQuery("organization");
const LACKING = "the app lacks the organization permission Projects";

export interface ProjectBoard {
  read(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  move(repo: RepoName, config: RepoConfig, moves: readonly CardMove[]): Promise<void>;
}

export function createProjectBoard(connection: Connection, now: () => number): ProjectBoard {
  const known = new Map<string, ProjectIds>();

  async function read(repo: RepoName, config: RepoConfig): Promise<RepoReading> {
    const readAt = now();
    const pages = await readBoardPages((after) => readPage(connection, { repo, config, after }), {
      repo,
      board: config.board,
      lacking: LACKING,
    });
    const { project, field, options } = pages;
    known.set(keyOf(repo, config), { project, field, options });
    const pulls = await readPulls(connection, repo, pages.pulls);
    return readingFrom({ ...pages, pulls }, { repo, config, readAt });
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
  const variables = { ...pageVariables(repo, config.board), after, withPulls: after === null };
  return connection.call(repo, "read the board", (client) =>
    nullIfHidden(client.graphql<ReadingPage>(QUERY, variables)),
  );
}

/** All open ones: an approved pull request that is not read would never land. */
async function readPulls(
  connection: Connection,
  repo: RepoName,
  first: PullPage | undefined,
): Promise<readonly PullNode[]> {
  const nodes = [...present(first?.nodes)];
  let page = first?.pageInfo;
  while (page?.hasNextPage === true) {
    const variables = { owner: ownerOf(repo), name: nameOf(repo), after: page.endCursor };
    const more = await connection.call(repo, "read the open pull requests", (client) =>
      client.graphql<MorePulls>(MORE_PULLS, variables),
    );
    nodes.push(...present(more.repository?.pullRequests.nodes));
    page = more.repository?.pullRequests.pageInfo;
  }
  return nodes;
}

function readingFrom(
  pages: Omit<BoardPages, "pulls"> & { readonly pulls: readonly PullNode[] },
  seen: { readonly repo: RepoName; readonly config: RepoConfig; readonly readAt: number },
): RepoReading {
  const { repo, config, readAt } = seen;
  const missing = columnsOf(config.board).filter(([, column]) => !pages.options.has(column));
  return {
    board: {
      cards: cardsOf(pages.items, { repo, board: config.board }),
      missingRoles: missing.map(([role]) => role),
    },
    pulls: pages.pulls.map(pullFromNode),
    readAt,
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
  return `${ownerOf(repo)}/${config.board.project}/${config.board.statusField}`;
}
