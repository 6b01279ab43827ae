import type { RepoConfig } from "../../config/schema.ts";
import type { Card, ColumnRole } from "../../domain/board.ts";
import type { RepoName } from "../../domain/ids.ts";
import { nameOf, ownerOf } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { cardFromItem, present } from "./parse-reading.ts";
import type { ItemNode, PullPage, ReadingPage } from "./reading-query.ts";

type BoardConfig = RepoConfig["board"];
type Project = NonNullable<NonNullable<ReadingPage["account"]>["projectV2"]>;

export interface BoardRequest {
  readonly repo: RepoName;
  readonly board: BoardConfig;
  /** Who asks and what they may lack, for the message when there is no such project to be seen. */
  readonly lacking: string;
}

/** A project as all its pages together show it. */
export interface BoardPages {
  readonly project: string;
  readonly field: string;
  /** Ids of the columns, by name. */
  readonly options: ReadonlyMap<string, string>;
  readonly items: readonly ItemNode[];
  /** The first page of the open ones. */
  readonly pulls: PullPage | undefined;
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

/** Reads page after page until the last. */
export async function readBoardPages(
  readPage: (after: string | null) => Promise<ReadingPage>,
  request: BoardRequest,
): Promise<BoardPages> {
  const first = await readPage(null);
  const project = projectOf(first, request);
  const items = [...present(project.items.nodes)];
  let { pageInfo } = project.items;
  while (pageInfo.hasNextPage) {
    const next = projectOf(await readPage(pageInfo.endCursor), request);
    items.push(...present(next.items.nodes));
    ({ pageInfo } = next.items);
  }
  const pulls = first.repository?.pullRequests;
  return { project: project.id, ...fieldOf(project, request.board), items, pulls };
}

function projectOf(page: ReadingPage, request: BoardRequest): Project {
  const project = page.account?.projectV2;
  // A missing permission shows as null, not as an error: it must never look like an empty board.
  if (project === null || project === undefined) {
    const { repo, board, lacking } = request;
    throw new AppError(
      "board-unreadable",
      `project ${board.project} of ${ownerOf(repo)} cannot be read: it does not exist or ${lacking}`,
    );
  }
  return project;
}

function fieldOf(project: Project, board: BoardConfig): Pick<BoardPages, "field" | "options"> {
  const { field } = project;
  if (field?.id === undefined || field.options === undefined) {
    throw new AppError(
      "board-unreadable",
      `project ${board.project} has no single-select field named ${board.statusField}`,
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
