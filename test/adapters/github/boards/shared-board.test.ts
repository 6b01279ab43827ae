import { describe, expect, it } from "vitest";
import type { Query } from "../../../../src/adapters/github/reading/long-lists.ts";
import { SharedBoard } from "../../../../src/adapters/github/boards/shared-board.ts";
import type { ProjectReader } from "../../../../src/adapters/github/boards/shared-board.ts";
import { aConfig } from "../../../support/a-config.ts";
import { REPO } from "../../../support/builders.ts";
import fc from "../../../support/fast-check.ts";

const ASKER = { repo: REPO, config: aConfig() };
const PAGE = 3;
const FIELD = { id: "F", name: "Status", dataType: "SINGLE_SELECT", options: [] };
const PULLS = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };

/** A board whose cursors are cards, not places: a cursor ends with its card, or leads to where the card was. */
class CursorBoard {
  cards: string[] = [];
  readonly #removed = new Map<string, string | undefined>();
  readonly asked: string[] = [];
  readonly #keepsCursors: boolean;
  time = Date.parse("2026-06-01T00:00:00Z");

  constructor(keepsCursors: boolean) {
    this.#keepsCursors = keepsCursors;
  }

  remove(card: string): void {
    const at = this.cards.indexOf(card);
    this.#removed.set(card, this.cards[at - 1]);
    this.cards.splice(at, 1);
  }

  readonly query: Query = <T>(document: string, variables: Record<string, unknown>) => {
    const name = /query (\w+)/.exec(document)?.[1] ?? "";
    this.asked.push(name);
    return Promise.resolve().then(() => this.#answer(variables) as T);
  };

  #answer({ ids, ...variables }: Record<string, unknown>): object {
    if (Array.isArray(ids)) {
      const there = ids.map((id: string) => (this.cards.includes(id) ? itemOf(id) : null));
      if (!there.includes(null)) return { nodes: there };
      throw refusal("NOT_FOUND", { path: ["nodes", there.indexOf(null)], data: { nodes: there } });
    }
    const project: Record<string, unknown> = { id: "P", closed: false, fields: { nodes: [FIELD] } };
    if ("after" in variables) project.items = this.#page(variables.after, variables.size);
    for (let at = 0; `size${at}` in variables; at += 1) {
      project[`page${at}`] = this.#page(variables[`after${at}`], variables[`size${at}`]);
    }
    return { account: { projectV2: project }, repository: { pullRequests: PULLS } };
  }

  #page(after: unknown, size: unknown): object {
    const from = typeof after === "string" ? this.#placeOf(after) + 1 : 0;
    const shown = this.cards.slice(from, from + Math.min(PAGE, Number(size)));
    const hasNextPage = from + shown.length < this.cards.length;
    const pageInfo = { hasNextPage, endCursor: shown.at(-1) ?? null };
    return { pageInfo, nodes: shown.map(itemOf) };
  }

  #placeOf(card: string): number {
    const at = this.cards.indexOf(card);
    if (at >= 0) return at;
    if (!this.#keepsCursors) throw refusal("INVALID_CURSOR_ARGUMENTS", {});
    const before = this.#removed.get(card);
    return before === undefined ? -1 : this.#placeOf(before);
  }
}

function itemOf(id: string): object {
  const updatedAt = "2026-01-01T00:00:00Z";
  return { id, isArchived: false, updatedAt, status: null, content: { __typename: "DraftIssue" } };
}

function refusal(type: string, { path = ["account"], data = null }: RefusalParts): Error {
  const error = Object.assign(new Error(type), { errors: [{ type, path, message: "no" }], data });
  error.name = "GraphqlResponseError";
  return error;
}

interface RefusalParts {
  readonly path?: readonly (string | number)[];
  readonly data?: object | null;
}

function sharedBoard(board: CursorBoard): SharedBoard {
  const reader: ProjectReader = {
    now: () => board.time,
    owner: "organization",
    lacking: "no",
    showsPulls: true,
    login: () => "acme",
    ask: (_, __, work) => work(board.query),
    askVersion: () => Promise.resolve({ kind: "none" }),
    check: () => undefined,
  };
  return new SharedBoard(reader);
}

async function read(shared: SharedBoard, board: CursorBoard): Promise<readonly string[]> {
  board.time += 60_000;
  const { content } = await shared.upTo(board.time, ASKER);
  return content.items.map(({ id }) => id);
}

const steps = fc.array(
  fc.array(fc.record({ adds: fc.boolean(), at: fc.nat(999) }), { maxLength: 4 }),
  { maxLength: 6 },
);

describe("a board whose cursors are cards", () => {
  it.each([true, false])(
    "is read as it is, whatever was put in or taken off before; cursors outlive their cards: %s",
    async (keepsCursors) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(14), steps, async (count, edits) => {
          const board = new CursorBoard(keepsCursors);
          board.cards = Array.from({ length: count }, (_, at) => `card-${at}`);
          const shared = sharedBoard(board);
          expect(await read(shared, board)).toEqual(board.cards);
          let added = 0;
          for (const some of edits) {
            for (const { adds, at } of some) {
              const place = Math.floor((at / 1000) * board.cards.length);
              const card = board.cards[place];
              if (adds || card === undefined) board.cards.splice(place, 0, `new-${(added += 1)}`);
              else board.remove(card);
            }
            expect(await read(shared, board)).toEqual(board.cards);
          }
        }),
        { numRuns: 60 },
      );
    },
  );

  it("is read by one index while nothing changes, however many pages it has", async () => {
    const board = new CursorBoard(false);
    board.cards = Array.from({ length: 20 }, (_, at) => `card-${at}`);
    const shared = sharedBoard(board);
    await read(shared, board);
    board.asked.length = 0;
    const before = shared.state?.content;
    await read(shared, board);
    expect(board.asked).toEqual(["BoardIndex"]);
    expect(shared.state?.content).toBe(before);
  });
});
