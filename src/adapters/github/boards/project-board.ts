import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { Board, RepoReading } from "../../../domain/board.ts";
import { ownerOf, repoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CardUpdate } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { digest } from "../../../shared/digest.ts";
import { quote } from "../../../shared/quote.ts";
import type { Connection } from "../connection/connection.ts";
import { pullFromNode } from "../reading/parse-reading.ts";
import { cardsOf, columnsOf } from "./board-pages.ts";
import type { BoardContent } from "./board-pages.ts";
import { askVersion } from "./items-version.ts";
import type { MutationDocument } from "./mutation-document.ts";
import { readPulls } from "./read-pulls.ts";
import { SharedBoard } from "./shared-board.ts";
import type { Asker, BoardState, ProjectReader } from "./shared-board.ts";
import { factFieldsOf, factsOfItem, updateDocument } from "./update-document.ts";

/** A board holds a repository's cards, whether they are items of a project or labelled issues. */
export interface RepoBoard {
  /** Reads the cards and the open pull requests as they are at the moment `since` or later, now if it is not given. */
  read(repo: RepoName, config: RepoConfig, since?: number): Promise<RepoReading>;
  /** Writes all changes in one call. */
  update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void>;
  /** Says whether the repository's cards are as they were when it last read them. If `since` is given, it does not rely on anything older. */
  isUnchanged(repo: RepoName, config: RepoConfig, since?: number): Promise<boolean>;
}

export interface ProjectBoard extends RepoBoard {
  /** Finds the repository of a card by the id of the card or of its issue, if it was on a board when that was last read. */
  repoOfCard(id: string): RepoName | undefined;
}

export interface ProjectDoor extends ProjectReader {
  /** Throws if the repository may not use the project. */
  admit(asker: Asker): Promise<void>;
  write(repo: RepoName, config: RepoConfig, document: MutationDocument): Promise<unknown>;
}

/** A repository got its cards out of this content, and they were these. */
interface HandedOut {
  readonly content: BoardContent;
  readonly version: string;
}

const LACKING =
  "the app lacks the organization permission Projects (read and write); grant it and accept the request on the installation's page";

/** Drafts beyond this number are counted, not named. */
const MAX_NAMED_DRAFTS = 5;

/** Creates the board of an organization's project. */
export function createProjectBoard(connection: Connection, now: () => number): ProjectBoard {
  return createBoardOf(connection, {
    now,
    owner: "organization",
    lacking: LACKING,
    showsPulls: true,
    login: ownerOf,
    admit: () => Promise.resolve(),
    ask: ({ repo }, attempted, work) =>
      connection.call(repo, attempted, (client) =>
        work((document, variables) => client.graphql(document, variables)),
      ),
    check: (repo, found) => connection.check(repo, found),
    askVersion: ({ repo, config }, known) =>
      connection.call(repo, "look for changes", (client) =>
        askVersion(known, (headers) =>
          client.request("GET /orgs/{org}/projectsV2/{project_number}/items", {
            org: ownerOf(repo),
            project_number: config.board.project,
            per_page: 100,
            headers,
          }),
        ),
      ),
    write: (repo, _, { query: document, variables }) =>
      connection.call(repo, "move cards", (client) => client.graphql(document, variables)),
  });
}

/** Creates the boards of all projects that are reached in the same way. Repositories with cards on one project share its reading. */
export function createBoardOf(connection: Connection, door: ProjectDoor): ProjectBoard {
  const boards = new Map<string, SharedBoard>();
  const handedOut = new Map<RepoName, HandedOut>();

  function boardOf({ repo, config: { board } }: Asker): SharedBoard {
    const key = `${door.login(repo, board)}/${board.project}/${board.statusField}`;
    const known = boards.get(key) ?? new SharedBoard(door);
    boards.set(key, known);
    return known;
  }

  async function read(
    repo: RepoName,
    config: RepoConfig,
    since = door.now(),
  ): Promise<RepoReading> {
    const asker = { repo, config };
    await door.admit(asker);
    const { content, begunAt, pulls } = await boardOf(asker).upTo(since, asker);
    const nodes = pulls?.repo === repo ? pulls.nodes : await readPulls(connection, asker);
    const board = boardFrom(content, asker);
    handedOut.set(repo, { content, version: digest(board) });
    return { board, pulls: nodes.map(pullFromNode), readAt: begunAt };
  }

  async function isUnchanged(repo: RepoName, config: RepoConfig, since?: number): Promise<boolean> {
    const asker = { repo, config };
    const before = handedOut.get(repo);
    if (before === undefined) return false;
    const state = await unlessUnreadable(async () => {
      await door.admit(asker);
      const board = boardOf(asker);
      return since === undefined ? board.look(asker) : board.upTo(since, asker);
    });
    if (state === undefined) return false;
    return (
      before.content === state.content || before.version === digest(boardFrom(state.content, asker))
    );
  }

  async function update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void> {
    const asker = { repo, config };
    if (boardOf(asker).state === undefined) await read(repo, config);
    const content = boardOf(asker).state?.content;
    const document = content && updateDocument(wanted, content, config);
    if (document?.empty === false) await door.write(repo, config, document);
  }

  return {
    read,
    isUnchanged,
    update,
    repoOfCard: (id) => repoOfCard([...boards.values()], id),
  };
}

/** A board that cannot be read counts as changed. Reading it will give the reason. */
async function unlessUnreadable(
  look: () => Promise<BoardState | undefined>,
): Promise<BoardState | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && error.code === "board-unreadable") return undefined;
    throw error;
  }
}

function repoOfCard(boards: readonly SharedBoard[], id: string): RepoName | undefined {
  for (const { state } of boards) {
    const item = state?.content.items.find((one) => one.id === id || one.content?.id === id);
    const name = item?.content?.repository?.nameWithOwner;
    if (name !== undefined) return repoName(name);
  }
  return undefined;
}

function boardFrom(content: BoardContent, { repo, config }: Asker): Board {
  const missing = columnsOf(config.board).filter(([, column]) => !content.options.has(column));
  const fields = factFieldsOf(content.fields);
  const facts = new Map(content.items.map((item) => [item.id, factsOfItem(item, fields)]));
  return {
    cards: cardsOf(content.items, { repo, board: config.board }).map((card) => ({
      ...card,
      facts: facts.get(card.id) ?? {},
    })),
    missingRoles: missing.map(([role]) => role),
    renamed: missing.map(([role]) => role),
    hints: hintsOf(content, config.board),
    tellsChanges: true,
  };
}

/** Says what a person has to put right on the project. The app itself never adds or renames a column, because columns are people's. */
function hintsOf(pages: BoardContent, board: RepoConfig["board"]): readonly string[] {
  return [...columnHints(pages, board), ...draftHints(pages, board)];
}

function columnHints({ options }: BoardContent, board: RepoConfig["board"]): readonly string[] {
  const known = [...options.keys()].map(quote).join(", ");
  return columnsOf(board)
    .filter(([, column]) => !options.has(column))
    .map(
      ([role, column]) =>
        `project ${board.project} has no column ${quote(column)}: add it, or set board.columns.${role} to one of ${known}`,
    );
}

function draftHints({ items }: BoardContent, board: RepoConfig["board"]): readonly string[] {
  const drafts = items.filter(
    ({ content, isArchived, status }) =>
      content?.__typename === "DraftIssue" && !isArchived && status?.name === board.columns.ready,
  );
  if (drafts.length === 0) return [];
  const titles = drafts
    .slice(0, MAX_NAMED_DRAFTS)
    .map(({ content }) => quote(content?.title ?? ""));
  const more =
    drafts.length > MAX_NAMED_DRAFTS ? ` and ${drafts.length - MAX_NAMED_DRAFTS} more` : "";
  return [
    `${titles.join(", ")}${more} in ${quote(board.columns.ready)}: a draft belongs to no repository; convert it to an issue`,
  ];
}
