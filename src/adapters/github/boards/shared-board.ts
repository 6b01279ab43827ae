import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";
import type { FoundRepository } from "../connection/connection.ts";
import { Portion } from "../connection/portion.ts";
import { readingQuery } from "../reading/board-query.ts";
import type { IndexPage, ProjectOwner } from "../reading/board-query.ts";
import { wholePulls } from "../reading/long-lists.ts";
import type { Query } from "../reading/long-lists.ts";
import { present } from "../reading/parse-reading.ts";
import type { ItemNode, PullNode, ReadingPage } from "../reading/reading-nodes.ts";
import { readCards, readIndex } from "./board-index.ts";
import {
  LARGEST_PAGE,
  factsOf,
  nullIfHidden,
  pageVariables,
  readBoardPages,
} from "./board-pages.ts";
import type { BoardContent, BoardRequest, Cursor } from "./board-pages.ts";
import type { ItemsVersion } from "./items-version.ts";
import { decideCards, recentlyChanged, updatedCards } from "./changed-cards.ts";
import type { Unsettled } from "./changed-cards.ts";
import { decideBoardReading, decideLook } from "./decide-board.ts";
import type { BoardAge } from "./decide-board.ts";

/** It is the repository that asks, with its settings. */
export interface Asker {
  readonly repo: RepoName;
  readonly config: RepoConfig;
}

/** It says how a project is reached: as the app, or by a person's token. */
export interface ProjectReader {
  readonly now: () => number;
  readonly owner: ProjectOwner;
  /** If the project cannot be seen, the message says that this may be missing. */
  readonly lacking: string;
  /** If it is false, pull requests cannot be read together with the cards. */
  readonly showsPulls: boolean;
  login(repo: RepoName, board: RepoConfig["board"]): string;
  /** Throws if another repository was found under the name than the one that asks. */
  check(repo: RepoName, found: FoundRepository | null | undefined): void;
  ask<T>(asker: Asker, attempted: string, work: (query: Query) => Promise<T>): Promise<T>;
  /** Asks for the version of the list of items, and says whether it is the given one. */
  askVersion(asker: Asker, known: string | undefined): Promise<ItemsVersion>;
}

export interface BoardState {
  /** It is the same object for as long as nothing changed. */
  readonly content: BoardContent;
  /** The content has all that happened before. */
  readonly begunAt: number;
  readonly wholeAt: number;
  readonly pages: readonly IndexPage[];
  readonly unsettled: Unsettled;
  /** The pull requests of one repository came with the cards. */
  readonly pulls: { readonly repo: RepoName; readonly nodes: readonly PullNode[] } | undefined;
}

type Read = Omit<BoardState, "begunAt">;
type How = "index" | "whole";

/** GitHub documents no limit for one query. An index of 2,000 cards is about as heavy as a page of 100 with their issues. */
const LARGEST_INDEX = 2_000;
const LARGEST_CHANGE = 50;

const NONE: Unsettled = new Map();

/** GitHub's word for a cursor that leads nowhere. */
const INVALID_CURSOR = "INVALID_CURSOR_ARGUMENTS";

/** Holds a project for all repositories that have cards on it. Whoever asks while it is being read shares what comes of it. */
export class SharedBoard {
  readonly #reader: ProjectReader;
  readonly #portions: { readonly page: Portion; readonly index: Portion; readonly cards: Portion };
  #state: BoardState | undefined;
  #running: { readonly begunAt: number; readonly result: Promise<BoardState> } | undefined;
  /** The list of items had this version, and the board was read since. */
  #version: string | undefined;
  #versions: "given" | "refused" | "none" = "given";

  constructor(reader: ProjectReader) {
    this.#reader = reader;
    const { now } = reader;
    this.#portions = {
      page: new Portion(LARGEST_PAGE, now),
      index: new Portion(LARGEST_INDEX, now),
      cards: new Portion(LARGEST_CHANGE, now),
    };
  }

  get state(): BoardState | undefined {
    return this.#state;
  }

  /** Returns the board as it was at the moment `since` or later. */
  async upTo(since: number, asker: Asker, how?: How): Promise<BoardState> {
    const now = this.#reader.now();
    // A later moment dates from before the clock was set back.
    const wanted = Math.min(since, now);
    const isNewEnough = ({ begunAt }: { readonly begunAt: number }): boolean =>
      begunAt >= wanted && begunAt <= now;
    if (this.#state !== undefined && isNewEnough(this.#state)) return this.#state;
    const running = this.#running;
    if (running === undefined) return this.#start(asker, how);
    try {
      const state = await running.result;
      if (isNewEnough(running)) return state;
    } catch (error) {
      // GitHub may grant to another repository what it refuses to one: the other then reads for itself.
      if (isNewEnough(running) && !isOfAsker(error)) throw error;
    }
    return this.upTo(wanted, asker, how);
  }

  /** Finds out at little cost whether the board changed. It returns undefined before the first reading. */
  async look(asker: Asker): Promise<BoardState | undefined> {
    const state = this.#state;
    if (state === undefined) return undefined;
    const look = decideLook(this.#ageOf(state));
    switch (look) {
      case "keep":
        return state;
      case "whole":
      case "index":
        // Whoever asks at about the same time shares one reading.
        return this.upTo(state.begunAt + 1, asker, look);
      case "ask-version":
        return this.#lookAtVersion(asker);
    }
  }

  async #lookAtVersion(asker: Asker): Promise<BoardState | undefined> {
    const askedAt = this.#reader.now();
    const version = await this.#reader.askVersion(asker, this.#version);
    if (version.kind === "same") return this.#state;
    if (version.kind === "none") {
      this.#versions = "none";
      return this.look(asker);
    }
    const read = await this.upTo(askedAt, asker);
    // Only now: if the reading had failed, the next look would take the version for one that is known. A list whose cards may still change
    // within the second may then have the same version.
    const isSettled = read.unsettled.size === 0;
    this.#version = version.kind === "given" && isSettled ? version.etag : undefined;
    this.#versions = version.kind;
    return read;
  }

  #start(asker: Asker, how?: How): Promise<BoardState> {
    const begunAt = this.#reader.now();
    const result = this.#read(asker, how)
      .then((read) => {
        this.#state = { ...read, begunAt };
        return this.#state;
      })
      .finally(() => {
        this.#running = undefined;
      });
    this.#running = { begunAt, result };
    return result;
  }

  async #read(asker: Asker, how?: How): Promise<Read> {
    const before = this.#state;
    if (before === undefined) return this.#readWhole(asker);
    const chosen = how ?? decideBoardReading(this.#ageOf(before));
    if (chosen === "whole") return this.#readWhole(asker);
    try {
      return await this.#readChanges(asker, before, this.#reader.showsPulls);
    } catch (error) {
      // A cursor may point to a card that is gone.
      if (!isInvalidCursor(error)) throw error;
      return this.#readWhole(asker);
    }
  }

  async #readWhole(asker: Asker): Promise<Read> {
    const { owner, now, showsPulls } = this.#reader;
    const wholeAt = now();
    const variables = this.#variables(asker);
    const { content, pages, pulls } = await this.#reader.ask(asker, "read the board", (query) => {
      const readPage = async (cursor: Cursor): Promise<ReadingPage> => {
        const page: ReadingPage = await this.#portions.page.ask((size) =>
          nullIfHidden(query<ReadingPage>(readingQuery(owner), { ...variables, ...cursor, size })),
        );
        this.#reader.check(asker.repo, page.repository);
        return page;
      };
      return readBoardPages({ query, readPage }, this.#request(asker));
    });
    if (this.#versions === "refused") this.#versions = "given";
    const ofAsker = showsPulls ? { repo: asker.repo, nodes: pulls } : undefined;
    const unsettled = recentlyChanged(content.items, this.#state, wholeAt);
    const read = { content, pages, wholeAt, unsettled, pulls: ofAsker };
    if (pages.length <= 1) return read;
    // Cards that come, go or are put elsewhere between two pages shift the rest. An index asks for all pages together.
    const known = withOthers(content, this.#state?.content.items ?? []);
    const before = { ...read, content: known, unsettled: NONE };
    const checked = await this.#readChanges(asker, before, false);
    return { ...checked, unsettled: new Map([...unsettled, ...checked.unsettled]), pulls: ofAsker };
  }

  #readChanges(asker: Asker, before: Read, withPulls: boolean): Promise<Read> {
    const field = asker.config.board.statusField;
    const { index: portion, cards } = this.#portions;
    return this.#reader.ask(asker, "read the board", async (query) => {
      const { project, stamps, pages, pulls } = await readIndex(query, before.pages, {
        owner: this.#reader.owner,
        variables: this.#variables(asker),
        factsOf: (answer) => {
          this.#reader.check(asker.repo, answer.repository);
          return factsOf(answer, this.#request(asker));
        },
        withPulls,
        portion,
      });
      const asked = decideCards(before, stamps);
      const now = this.#reader.now();
      const read = await readCards(query, asked, { field, portion: cards });
      const known = updatedCards(before, { project, stamps, asked, read, now });
      const nodes = pulls?.pageInfo.hasNextPage === false ? present(pulls.nodes) : undefined;
      const ofAsker = nodes && { repo: asker.repo, nodes: await wholePulls(query, nodes) };
      return { ...known, pages, wholeAt: before.wholeAt, pulls: ofAsker };
    });
  }

  #ageOf({ begunAt, wholeAt, pages }: BoardState): BoardAge {
    const now = this.#reader.now();
    const lacksVersion = this.#versions !== "given";
    return { now, begunAt, wholeAt, pages: pages.length, lacksVersion };
  }

  #variables({ repo, config: { board } }: Asker): Record<string, unknown> {
    return { ...pageVariables(repo, board), owner: this.#reader.login(repo, board) };
  }

  #request({ repo, config: { board } }: Asker): BoardRequest {
    const { lacking, showsPulls: withPulls } = this.#reader;
    return { repo, board, lacking, login: this.#reader.login(repo, board), withPulls };
  }
}

/** Says whether a failure may be about the repository that asked and not about the board. */
function isOfAsker(error: unknown): boolean {
  return error instanceof AppError && error.code === "github-refused";
}

function isInvalidCursor(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return graphqlErrorsOf(cause)?.some(({ type }) => type === INVALID_CURSOR) === true;
}

/** Adds the cards that were known before and have not been seen now. */
function withOthers(content: BoardContent, others: readonly ItemNode[]): BoardContent {
  const ids = new Set(content.items.map(({ id }) => id));
  return { ...content, items: [...content.items, ...others.filter(({ id }) => !ids.has(id))] };
}
