import type { RepoConfig } from "../../config/schema.ts";
import type { Card, ColumnRole } from "../../domain/board.ts";
import type { RepoName } from "../../domain/ids.ts";
import { nameOf, ownerOf } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { quote } from "../../shared/quote.ts";
import { collectPages } from "./collect-pages.ts";
import type { Cursor } from "./collect-pages.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { cardFromItem, present } from "./parse-reading.ts";
import type { FieldNode, ItemNode, ProjectNode, PullNode, ReadingPage } from "./reading-nodes.ts";

type BoardConfig = RepoConfig["board"];

export interface BoardRequest {
  readonly repo: RepoName;
  readonly board: BoardConfig;
  /** Whose project it is; the repository's owner's unless given. */
  readonly login?: string;
  /** Who asks and what they may lack, for the message when there is no such project to be seen. */
  readonly lacking: string;
  /** Without them only the cards are read. */
  readonly withPulls: boolean;
}

/** A project as all its pages together show it. */
export interface BoardPages {
  readonly project: string;
  readonly field: string;
  /** Ids of the columns, by name. */
  readonly options: ReadonlyMap<string, string>;
  readonly fields: readonly FieldNode[];
  readonly items: readonly ItemNode[];
  readonly pulls: readonly PullNode[];
}

/** The variables that every page shares with the first. */
export function pageVariables(repo: RepoName, { project, statusField: field }: BoardConfig) {
  return { owner: ownerOf(repo), name: nameOf(repo), project, field };
}

/** A project that is not there or may not be seen looks the same, however GitHub says it. */
export async function nullIfHidden(page: Promise<ReadingPage>): Promise<ReadingPage> {
  try {
    return await page;
  } catch (error) {
    if (hidesProject(error)) return { account: null };
    throw error;
  }
}

/** An owner that is no organization, or a project that the app may not see, is an error as often as it is null. */
function hidesProject(error: unknown): boolean {
  const errors = graphqlErrorsOf(error) ?? [];
  return errors.some(
    ({ type, path }) =>
      (type === "NOT_FOUND" || type === "FORBIDDEN") && path[0] === "account" && path.length <= 2,
  );
}

export async function readBoardPages(
  readPage: (cursor: Cursor) => Promise<ReadingPage>,
  request: BoardRequest,
): Promise<BoardPages> {
  const lists = {
    // A page of pull requests alone has no account; on any other its absence must never look like an empty board.
    items: (page: ReadingPage) =>
      page.account === undefined ? undefined : projectOf(page, request).items,
    pulls: (page: ReadingPage) => page.repository?.pullRequests,
  };
  const { first, items, pulls } = await collectPages(readPage, lists, request.withPulls);
  const project = projectOf(first, request);
  const fields = present(project.fields.nodes);
  return {
    project: project.id,
    ...statusOf(fields, request.board),
    fields,
    items,
    pulls,
  };
}

function projectOf(page: ReadingPage, { repo, board, login, lacking }: BoardRequest): ProjectNode {
  const project = page.account?.projectV2;
  const name = `project ${board.project} of ${login ?? ownerOf(repo)}`;
  if (project?.closed === true) {
    const advice = "reopen it, or name another in board.project";
    throw new AppError("board-unreadable", `${name} is closed: ${advice}`);
  }
  if (project !== null && project !== undefined) return project;
  throw new AppError("board-unreadable", `${name} cannot be read: it does not exist or ${lacking}`);
}

function statusOf(
  fields: readonly FieldNode[],
  { project, statusField }: BoardConfig,
): Pick<BoardPages, "field" | "options"> {
  const field = fields.find(({ name }) => name === statusField);
  if (field?.id === undefined || field.options === undefined) {
    const others = fields.filter(({ options }) => options !== undefined);
    const known = others.map(({ name = "" }) => quote(name)).join(", ");
    throw new AppError(
      "board-unreadable",
      `project ${project} has no single-select field named ${statusField}; set board.statusField to one of: ${known || "none"}`,
    );
  }
  const options = new Map(field.options.map((option) => [option.name, option.id]));
  return { field: field.id, options };
}

export function columnsOf(board: BoardConfig): readonly (readonly [ColumnRole, string])[] {
  return Object.entries(board.columns) as [ColumnRole, string][];
}

/** The cards of one repository: a project may hold those of many. */
export function cardsOf(
  items: readonly ItemNode[],
  { repo, board }: Pick<BoardRequest, "repo" | "board">,
): readonly Card[] {
  const roles = new Map(columnsOf(board).map(([role, column]) => [column, role]));
  return items.flatMap((item) => {
    const card = cardFromItem(item, (column) => roles.get(column));
    return card?.issue.repo === repo ? [card] : [];
  });
}
