import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { Card, ColumnRole } from "../../../domain/board.ts";
import { nameOf, ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { quote } from "../../../shared/quote.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";
import type { IndexPage } from "../reading/board-query.ts";
import { wholeItems, wholePulls } from "../reading/long-lists.ts";
import type { Query } from "../reading/long-lists.ts";
import { cardFromItem, present } from "../reading/parse-reading.ts";
import type {
  Connected,
  FieldNode,
  ItemNode,
  ProjectNode,
  ProjectPage,
  PullNode,
  ReadingPage,
} from "../reading/reading-nodes.ts";

type BoardConfig = RepoConfig["board"];

export interface BoardRequest {
  readonly repo: RepoName;
  readonly board: BoardConfig;
  /** This login owns the project. Without it the owner of the repository does. */
  readonly login?: string;
  /** The message that the project cannot be seen ends with these words: who asks and which permission they may lack. */
  readonly lacking: string;
  /** If it is false, only the cards are read. */
  readonly withPulls: boolean;
}

/** It says of a project which columns and fields it has. */
export interface ProjectFacts {
  readonly project: string;
  readonly field: string;
  /** It maps the name of each column to its id. */
  readonly options: ReadonlyMap<string, string>;
  readonly fields: readonly FieldNode[];
}

/** It holds a project as all its pages together show it. */
export interface BoardContent extends ProjectFacts {
  readonly items: readonly ItemNode[];
}

export interface BoardPages {
  readonly content: BoardContent;
  readonly pages: readonly IndexPage[];
  readonly pulls: readonly PullNode[];
}

/** GitHub gives no more of a list at once. */
export const LARGEST_PAGE = 100;

/** It says where the next document goes on in each of the two lists. A list that is at its end is left out. */
export interface Cursor {
  readonly after: string | null;
  readonly withItems: boolean;
  readonly pullsAfter: string | null;
  readonly withPulls: boolean;
}

export interface PageReader {
  readonly query: Query;
  readonly readPage: (cursor: Cursor) => Promise<ReadingPage>;
}

interface Lists<Page, Item> {
  items(page: Page): Connected<Item> | undefined;
  pulls(page: Page): Connected<PullNode> | undefined;
}

interface Collected<Page, Item> {
  readonly first: Page;
  readonly items: readonly Item[];
  readonly pages: readonly IndexPage[];
  readonly pulls: readonly PullNode[];
}

/** Returns the variables that are the same for every page. */
export function pageVariables(repo: RepoName, { project, statusField: field }: BoardConfig) {
  return { owner: ownerOf(repo), name: nameOf(repo), project, field };
}

/** Turns an error that hides the project into a page without a project, which is GitHub's other way to say the same. */
export async function nullIfHidden<Page>(
  page: Promise<Page>,
): Promise<Page | { readonly account: null }> {
  try {
    return await page;
  } catch (error) {
    if (hidesProject(error)) return { account: null };
    throw error;
  }
}

/** Reads the whole board: page after page, and the lists of its issues to their ends. */
export async function readBoardPages(
  { query, readPage }: PageReader,
  request: BoardRequest,
): Promise<BoardPages> {
  const lists = {
    // A page with pull requests only has no account. On any other page a missing account must never look like an empty board.
    items: (page: ReadingPage) =>
      page.account === undefined ? undefined : (projectOf(page, request) as ProjectPage).items,
    pulls: (page: ReadingPage) => page.repository?.pullRequests,
  };
  const read = await collectPages(readPage, lists, request.withPulls);
  const items = await wholeItems(query, uniqueItems(read.items));
  const pulls = await wholePulls(query, read.pulls);
  return { content: { ...factsOf(read.first, request), items }, pages: read.pages, pulls };
}

/** A card comes twice if others were put before it while the pages were read. */
function uniqueItems(items: readonly ItemNode[]): readonly ItemNode[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Finds the project's columns and fields in an answer. */
export function factsOf(
  page: { readonly account?: { readonly projectV2: ProjectNode | null } | null },
  request: BoardRequest,
): ProjectFacts {
  const project = projectOf(page, request);
  const fields = present(project.fields.nodes);
  return { project: project.id, ...statusOf(fields, request.board), fields };
}

/** Reads page after page until both lists are at their end. */
export async function collectPages<Page, Item>(
  read: (cursor: Cursor) => Promise<Page>,
  lists: Lists<Page, Item>,
  withPulls = true,
): Promise<Collected<Page, Item>> {
  const items: Item[] = [];
  const pulls: PullNode[] = [];
  const pages: IndexPage[] = [];
  let after: string | null = null;
  const first = await read({ after, withItems: true, pullsAfter: null, withPulls });
  for (let page = first; ;) {
    const [ofItems, ofPulls] = [lists.items(page), lists.pulls(page)];
    if (ofItems !== undefined) pages.push({ after, size: sizeOf(ofItems) });
    items.push(...present(ofItems?.nodes));
    pulls.push(...present(ofPulls?.nodes));
    const cursor = nextCursor(ofItems, ofPulls);
    if (cursor === undefined) return { first, items, pages, pulls };
    after = cursor.after;
    page = await read(cursor);
  }
}

export function columnsOf(board: BoardConfig): readonly (readonly [ColumnRole, string])[] {
  return Object.entries(board.columns) as [ColumnRole, string][];
}

/** Picks the cards of one repository, because a project may hold cards of many. */
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

/** When the owner is no organization, or the app may not see the project, GitHub sends an error or null. */
function hidesProject(error: unknown): boolean {
  const errors = graphqlErrorsOf(error) ?? [];
  return errors.some(
    ({ type, path }) =>
      (type === "NOT_FOUND" || type === "FORBIDDEN") && path[0] === "account" && path.length <= 2,
  );
}

/** The last page may grow to a full one. */
function sizeOf({ nodes, pageInfo }: Connected<unknown>): number {
  return pageInfo.hasNextPage ? (nodes?.length ?? 0) : LARGEST_PAGE;
}

function projectOf(
  page: Parameters<typeof factsOf>[0],
  { repo, board, login, lacking }: BoardRequest,
): ProjectNode {
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
): Pick<ProjectFacts, "field" | "options"> {
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

function nextCursor(
  items: Connected<unknown> | undefined,
  pulls: Connected<unknown> | undefined,
): Cursor | undefined {
  const withItems = items?.pageInfo.hasNextPage === true;
  const withPulls = pulls?.pageInfo.hasNextPage === true;
  if (!withItems && !withPulls) return undefined;
  const after = items?.pageInfo.endCursor ?? null;
  return { after, withItems, pullsAfter: pulls?.pageInfo.endCursor ?? null, withPulls };
}
