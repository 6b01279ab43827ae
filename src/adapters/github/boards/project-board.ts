import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { CardFact, CardFacts, RepoReading } from "../../../domain/board.ts";
import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CardUpdate } from "../../../ports/github.ts";
import { quote } from "../../../shared/quote.ts";
import type { Connection } from "../connection/connection.ts";
import { pullFromNode } from "../reading/parse-reading.ts";
import type {
  FactNode,
  FieldNode,
  ItemNode,
  PullNode,
  ReadingPage,
} from "../reading/reading-nodes.ts";
import { CARD_FACTS, titled, readingQuery } from "../reading/reading-query.ts";
import { cardsOf, columnsOf, nullIfHidden, pageVariables, readBoardPages } from "./board-pages.ts";
import type { BoardPages, Cursor } from "./board-pages.ts";
import { MutationDocument } from "./mutation-document.ts";

/** A board holds a repository's cards, whether they are items of a project or labelled issues. */
export interface RepoBoard {
  /** Reads the cards and the open pull requests. */
  read(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  /** Writes all changes in one call. */
  update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void>;
}

/** It says how a project is reached: as the app, or by a person's token. */
export interface ProjectDoor {
  readonly now: () => number;
  /** If the project cannot be seen, the message says that this may be missing. */
  readonly lacking: string;
  login(repo: RepoName, board: RepoConfig["board"]): string;
  readPage(repo: RepoName, config: RepoConfig, cursor: Cursor): Promise<ReadingPage>;
  /** It is given where pull requests cannot be read together with the cards. */
  readPulls?(repo: RepoName, config: RepoConfig): Promise<readonly PullNode[]>;
  write(repo: RepoName, config: RepoConfig, document: MutationDocument): Promise<unknown>;
}

/** An update needs these ids; they are remembered from the last reading. */
type ProjectIds = Pick<BoardPages, "project" | "field" | "options"> & {
  readonly facts: FactFields;
};

const LACKING =
  "the app lacks the organization permission Projects (read and write); grant it and accept the request on the installation's page";

/** Drafts beyond this number are counted, not named. */
const MAX_NAMED_DRAFTS = 5;

/** Creates the board of an organization's project. */
export function createProjectBoard(connection: Connection, now: () => number): RepoBoard {
  const query = readingQuery("organization");
  return createBoardOf({
    now,
    lacking: LACKING,
    login: ownerOf,
    readPage: (repo, { board }, cursor) =>
      connection.call(repo, "read the board", (client) =>
        nullIfHidden(
          client.graphql<ReadingPage>(query, { ...pageVariables(repo, board), ...cursor }),
        ),
      ),
    write: (repo, _, { query: document, variables }) =>
      connection.call(repo, "move cards", (client) => client.graphql(document, variables)),
  });
}

export function createBoardOf(door: ProjectDoor): RepoBoard {
  const known = new Map<string, ProjectIds>();
  const keyOf = (repo: RepoName, { board }: RepoConfig): string =>
    `${door.login(repo, board)}/${board.project}/${board.statusField}`;

  async function read(repo: RepoName, config: RepoConfig): Promise<RepoReading> {
    const readAt = door.now();
    const { board } = config;
    const pages = await readBoardPages((cursor) => door.readPage(repo, config, cursor), {
      repo,
      board,
      lacking: door.lacking,
      login: door.login(repo, board),
      withPulls: door.readPulls === undefined,
    });
    const { project, field, options } = pages;
    const facts = factFieldsOf(pages.fields);
    known.set(keyOf(repo, config), { project, field, options, facts });
    const pulls = (await door.readPulls?.(repo, config)) ?? pages.pulls;
    return readingFrom({ ...pages, pulls }, { repo, config, readAt });
  }

  async function update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void> {
    if (!known.has(keyOf(repo, config))) await read(repo, config);
    const ids = known.get(keyOf(repo, config));
    if (ids === undefined) return;
    const document = updateDocument(wanted, ids, config);
    if (!document.empty) await door.write(repo, config, document);
  }

  return { read, update };
}

function readingFrom(
  pages: BoardPages,
  seen: { readonly repo: RepoName; readonly config: RepoConfig; readonly readAt: number },
): RepoReading {
  const { repo, config, readAt } = seen;
  const missing = columnsOf(config.board).filter(([, column]) => !pages.options.has(column));
  const fields = factFieldsOf(pages.fields);
  const facts = new Map(pages.items.map((item) => [item.id, factsOfItem(item, fields)]));
  return {
    board: {
      cards: cardsOf(pages.items, { repo, board: config.board }).map((card) => ({
        ...card,
        facts: facts.get(card.id) ?? {},
      })),
      missingRoles: missing.map(([role]) => role),
      renamed: missing.map(([role]) => role),
      hints: hintsOf(pages, config.board),
    },
    pulls: pages.pulls.map(pullFromNode),
    readAt,
  };
}

/** Says what a person has to put right on the project. The app itself never adds or renames a column, because columns are people's. */
function hintsOf(pages: BoardPages, board: RepoConfig["board"]): readonly string[] {
  return [...columnHints(pages, board), ...draftHints(pages, board)];
}

function columnHints({ options }: BoardPages, board: RepoConfig["board"]): readonly string[] {
  const known = [...options.keys()].map(quote).join(", ");
  return columnsOf(board)
    .filter(([, column]) => !options.has(column))
    .map(
      ([role, column]) =>
        `project ${board.project} has no column ${quote(column)}: add it, or set board.columns.${role} to one of ${known}`,
    );
}

function draftHints({ items }: BoardPages, board: RepoConfig["board"]): readonly string[] {
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

/** Puts everything into one document, so that a tick that starts eight runs costs one call. */
function updateDocument(
  { moves, notes }: CardUpdate,
  ids: ProjectIds,
  config: RepoConfig,
): MutationDocument {
  const document = new MutationDocument();
  const set = (cardId: string, field: string, value: string): void => {
    const project = document.variable("ID!", ids.project);
    const [item, at] = [document.variable("ID!", cardId), document.variable("ID!", field)];
    document.add(
      "updateProjectV2ItemFieldValue",
      `projectId: ${project}, itemId: ${item}, fieldId: ${at}, value: { ${value} }`,
      "projectV2Item { id }",
    );
  };
  for (const { cardId, role } of moves) {
    const option = ids.options.get(config.board.columns[role]);
    if (option === undefined) continue;
    set(cardId, ids.field, `singleSelectOptionId: ${document.variable("String!", option)}`);
  }
  for (const { cardId, facts } of notes) {
    for (const [name, field] of ids.facts) {
      const value = valueFor(field, facts[name]);
      if (value === undefined) continue;
      set(cardId, field.id, `${value.kind}: ${document.variable(value.type, value.value)}`);
    }
  }
  return document;
}

interface FactField {
  readonly id: string;
  readonly kind: "text" | "number" | "select";
  readonly options: ReadonlyMap<string, string>;
}

type FactFields = ReadonlyMap<CardFact, FactField>;

interface FieldInput {
  readonly kind: "text" | "number" | "singleSelectOptionId";
  readonly type: "String!" | "Float!";
  readonly value: string | number;
}

const KINDS: Readonly<Record<string, FactField["kind"]>> = {
  TEXT: "text",
  NUMBER: "number",
  SINGLE_SELECT: "select",
};

/** Finds the project's fields that the app fills. A field of a type that the app cannot fill is left out. */
function factFieldsOf(fields: readonly FieldNode[]): FactFields {
  return new Map(
    CARD_FACTS.flatMap((fact) => {
      const field = fields.find(({ name }) => name?.toLowerCase() === titled(fact).toLowerCase());
      const kind = KINDS[field?.dataType ?? ""];
      if (field?.id === undefined || kind === undefined) return [];
      const options = new Map((field.options ?? []).map(({ id, name }) => [name, id]));
      return [[fact, { id: field.id, kind, options }] as const];
    }),
  );
}

function factsOfItem(item: ItemNode, fields: FactFields): CardFacts {
  return Object.fromEntries([...fields.keys()].map((fact) => [fact, textOf(item[fact])]));
}

function textOf(value: FactNode | null | undefined): string {
  return String(value?.text ?? value?.number ?? value?.name ?? "");
}

/** Returns undefined when the field cannot hold the text. Options are never added, because people choose them. */
function valueFor(field: FactField, text: string | undefined): FieldInput | undefined {
  if (text === undefined || text === "") return undefined;
  switch (field.kind) {
    case "text":
      return { kind: "text", type: "String!", value: text };
    case "number": {
      const value = Number(text);
      return Number.isFinite(value) ? { kind: "number", type: "Float!", value } : undefined;
    }
    case "select": {
      const value = field.options.get(text);
      return value === undefined
        ? undefined
        : { kind: "singleSelectOptionId", type: "String!", value };
    }
  }
}
