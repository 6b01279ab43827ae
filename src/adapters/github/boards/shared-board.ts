import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { Portion } from "../connection/portion.ts";
import { readingQuery } from "../reading/board-query.ts";
import type { IndexPage, ProjectOwner } from "../reading/board-query.ts";
import type { PullNode, ReadingPage } from "../reading/reading-nodes.ts";
import { readCards, readIndex, stampOf } from "./board-index.ts";
import type { Query } from "./board-index.ts";
import {
  LARGEST_PAGE,
  factsOf,
  nullIfHidden,
  pageVariables,
  readBoardPages,
} from "./board-pages.ts";
import type { BoardContent, BoardRequest } from "./board-pages.ts";
import type { ItemsVersion } from "./items-version.ts";
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
  ask<T>(asker: Asker, attempted: string, work: (query: Query) => Promise<T>): Promise<T>;
  /** Asks for the version of the list of items, and says whether it is the given one. */
  askVersion(asker: Asker, known: string | undefined): Promise<ItemsVersion>;
}

export interface BoardState {
  /** It is the same object for as long as nothing changed. */
  readonly content: BoardContent;
  /** What happened before is in the content. */
  readonly begunAt: number;
  readonly wholeAt: number;
  readonly pages: readonly IndexPage[];
  /** The pull requests of one repository came with the cards. */
  readonly pulls: { readonly repo: RepoName; readonly nodes: readonly PullNode[] } | undefined;
}

type Read = Omit<BoardState, "begunAt">;
type How = "index" | "whole";

/** GitHub documents no limit for one query. An index of 2,000 cards is about as heavy as a page of 100 with their issues. */
const LARGEST_INDEX = 2_000;
const LARGEST_CHANGE = 50;

/** Holds a project for all repositories that have cards on it. Whoever asks while it is being read shares what comes of it. */
export class SharedBoard {
  readonly #reader: ProjectReader;
  readonly #portions: { readonly page: Portion; readonly index: Portion; readonly cards: Portion };
  #state: BoardState | undefined;
  #running: { readonly begunAt: number; readonly result: Promise<BoardState> } | undefined;
  #next: Promise<BoardState> | undefined;
  #version: string | undefined;
  #lacksVersion = false;

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
    const state = this.#state;
    if (state !== undefined && state.begunAt >= since && state.begunAt <= this.#reader.now()) {
      return state;
    }
    if (this.#running === undefined) return this.#start(asker, how);
    if (this.#running.begunAt >= since) return this.#running.result;
    this.#next ??= this.#running.result.then(ignore, ignore).then(() => {
      this.#next = undefined;
      return this.#start(asker, how);
    });
    return this.#next;
  }

  /** Finds out at little cost whether the board changed. It returns undefined before the first reading. */
  async look(asker: Asker): Promise<BoardState | undefined> {
    const state = this.#state;
    if (state === undefined) return undefined;
    const { now } = this.#reader;
    const begunAt = now();
    // Whoever asks at about the same time shares one reading.
    const newer = state.begunAt + 1;
    switch (decideLook(this.#ageOf(state))) {
      case "keep":
        return state;
      case "whole":
        return this.upTo(newer, asker, "whole");
      case "index":
        return this.upTo(newer, asker, "index");
      case "ask-version": {
        if (!(await this.#isSame(asker))) {
          return this.#lacksVersion ? this.look(asker) : this.upTo(begunAt, asker);
        }
        if (this.#state === state) this.#state = { ...state, begunAt };
        return this.#state;
      }
    }
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

  #read(asker: Asker, how?: How): Promise<Read> {
    const before = this.#state;
    if (before === undefined) return this.#readWhole(asker);
    const chosen = how ?? decideBoardReading(this.#ageOf(before));
    return chosen === "whole" ? this.#readWhole(asker) : this.#readChanges(asker, before);
  }

  #readWhole(asker: Asker): Promise<Read> {
    const { owner, now, showsPulls } = this.#reader;
    const wholeAt = now();
    const variables = this.#variables(asker);
    return this.#reader.ask(asker, "read the board", async (query) => {
      const read = await readBoardPages(
        (cursor) =>
          this.#portions.page.ask((size) =>
            nullIfHidden(
              query<ReadingPage>(readingQuery(owner), { ...variables, ...cursor, size }),
            ),
          ),
        this.#request(asker),
      );
      const pulls = showsPulls ? { repo: asker.repo, nodes: read.pulls } : undefined;
      return { content: read.content, pages: read.pages, wholeAt, pulls };
    });
  }

  async #readChanges(asker: Asker, before: BoardState): Promise<Read> {
    const { owner, showsPulls: withPulls } = this.#reader;
    const variables = this.#variables(asker);
    const field = asker.config.board.statusField;
    const read = await this.#reader.ask(asker, "read the board", async (query) => {
      const index = { owner, variables, withPulls, portion: this.#portions.index };
      const { answer, stamps, pages, pulls } = await readIndex(query, before.pages, index);
      const project = factsOf(answer, this.#request(asker));
      const old = new Map(before.content.items.map((item) => [item.id, item]));
      const ids = stamps
        .filter((stamp) => {
          const known = old.get(stamp.id);
          return known === undefined || stampOf(known) !== stampOf(stamp);
        })
        .map(({ id }) => id);
      const cards = await readCards(query, ids, { field, portion: this.#portions.cards });
      if (cards === undefined) return undefined;
      const items = stamps.flatMap(({ id }) => cards.get(id) ?? old.get(id) ?? []);
      const isSame =
        ids.length === 0 && items.length === old.size && items.every(isAt(before.content.items));
      const content = { ...project, items: isSame ? before.content.items : items };
      return {
        content: isSame && sameFields(content, before.content) ? before.content : content,
        pages,
        wholeAt: before.wholeAt,
        pulls:
          pulls === undefined || pulls.pageInfo.hasNextPage
            ? undefined
            : { repo: asker.repo, nodes: (pulls.nodes ?? []).filter((node) => node !== null) },
      };
    });
    return read ?? this.#readWhole(asker);
  }

  async #isSame(asker: Asker): Promise<boolean> {
    const version = await this.#reader.askVersion(asker, this.#version);
    if (version.kind === "given") this.#version = version.etag;
    this.#lacksVersion = version.kind === "none";
    return version.kind === "same";
  }

  #ageOf({ begunAt, wholeAt, pages }: BoardState): BoardAge {
    const now = this.#reader.now();
    return { now, begunAt, wholeAt, pages: pages.length, lacksVersion: this.#lacksVersion };
  }

  #variables({ repo, config: { board } }: Asker): Record<string, unknown> {
    return { ...pageVariables(repo, board), owner: this.#reader.login(repo, board) };
  }

  #request({ repo, config: { board } }: Asker): BoardRequest {
    const { lacking, showsPulls: withPulls } = this.#reader;
    return { repo, board, lacking, login: this.#reader.login(repo, board), withPulls };
  }
}

function ignore(): undefined {
  return undefined;
}

function isAt<T>(others: readonly T[]): (one: T, at: number) => boolean {
  return (one, at) => others[at] === one;
}

function sameFields(one: BoardContent, other: BoardContent): boolean {
  return JSON.stringify(one.fields) === JSON.stringify(other.fields);
}
