import { afterEach, describe, expect, it } from "vitest";
import { archiveItem, deleteItem } from "../../../../local-github/actions/threads/projects.ts";
import type { ProjectItem } from "../../../../local-github/model/project.ts";
import fc from "../../../support/fast-check.ts";
import { times } from "../../../support/proofs.ts";
import { BoardTown } from "./board-town.ts";

let town: BoardTown;
afterEach(() => town.close());

const MINUTE_MS = 60_000;

/** What people do to a board between two of our questions. Places are shares of the board's length. */
type Edit = { readonly kind: (typeof KINDS)[number]; readonly at: number; readonly to: number };

const KINDS = ["add", "delete", "archive", "drag", "move", "nothing", "nothing"] as const;
const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    at: fc.nat(999).map((share) => share / 1000),
    to: fc.nat(999).map((share) => share / 1000),
  }),
  { maxLength: 12 },
);

/** Does one edit and returns the number of the issue whose card came or went. */
function edit({ kind, at, to }: Edit): number | undefined {
  const { github, project } = town.world;
  const { items } = project;
  const item = items[Math.floor(at * items.length)];
  if (kind === "add" || item === undefined) return town.addCards(1)[0]!.number;
  const actor = github.as("ann").user;
  switch (kind) {
    case "delete":
      deleteItem(github.world, item, actor);
      return numberOf(item);
    case "archive":
      archiveItem(github.world, item, { archived: true, actor });
      return numberOf(item);
    case "drag":
      items.splice(items.indexOf(item), 1);
      items.splice(Math.floor(to * items.length), 0, item);
      return undefined;
    case "move":
      if (item.content.kind === "issue" && item.archivedAt === null) {
        github.as("ann").moveCard(item.content, to < 0.5 ? "Ready" : "Backlog");
      }
      return undefined;
    case "nothing":
      return undefined;
  }
}

function numberOf({ content }: ProjectItem): number {
  return content.kind === "issue" ? content.number : 0;
}

const numbers = (cards: readonly string[]): readonly number[] => cards.map(Number.parseFloat);

/** Reads while the edits happen, one after each answer, and returns the cards that came or went meanwhile. */
async function readMeanwhile(wanted: readonly Edit[], read: () => Promise<unknown>) {
  const left = [...wanted];
  const touched = new Set<number | undefined>();
  town.counter.meddle = () => {
    const next = left.shift();
    if (next !== undefined) touched.add(edit(next));
  };
  await read();
  town.counter.meddle = () => undefined;
  return touched;
}

async function holds(wanted: readonly Edit[], isWhole: boolean): Promise<void> {
  const [repo] = town.repositories;
  let before = numbers(town.truth(repo!));
  let seen: readonly number[] = [];
  // Only ours: tokens last an hour of GitHub's.
  if (isWhole) town.clock.aheadMs += 24 * 60 * MINUTE_MS;
  const touched = await readMeanwhile(wanted, async () => {
    seen = numbers(await town.read(repo!));
  });
  const untouched = before.filter((number) => !touched.has(number));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((number) => !touched.has(number)).toSorted()).toEqual(untouched.toSorted());
  town.pass(MINUTE_MS);
  before = numbers(town.truth(repo!));
  expect(numbers(await town.read(repo!))).toEqual(before);
  expect(await town.read(repo!)).toEqual(town.truth(repo!));
}

describe("a board whose cards come and go while it is read", () => {
  it.each([
    // A page then has 13 cards, and the index is one query.
    { cards: 60, heaviest: 1_750, isWhole: true },
    { cards: 60, heaviest: 1_750, isWhole: false },
    // The index needs several queries as well.
    { cards: 110, heaviest: 1_050, isWhole: false },
  ])(
    "loses and doubles no card: $cards cards, whole reading: $isWhole",
    async ({ cards, heaviest, isWhole }) => {
      town = await BoardTown.create(["one"]);
      town.addCards(cards);
      town.world.github.faults.heaviestQuery = heaviest;
      await town.read(town.repositories[0]!);
      await fc.assert(
        fc.asyncProperty(edits, (wanted) => holds(wanted, isWhole)),
        { numRuns: times({ test: 8, ci: 25, long: 250 }), endOnFailure: true },
      );
    },
  );

  it("is not taken for a smaller one if it is hidden between two questions for its index", async () => {
    town = await BoardTown.create(["one"]);
    const [repo] = town.repositories;
    town.addCards(110);
    const { faults } = town.world.github;
    faults.heaviestQuery = 1_050;
    await town.read(repo!);
    town.counter.meddle = () => {
      faults.nullBoard = true;
    };
    await expect(town.read(repo!)).rejects.toMatchObject({ code: "board-unreadable" });
    town.counter.meddle = () => undefined;
    faults.nullBoard = false;
    expect(await town.read(repo!)).toEqual(town.truth(repo!));
  });
});
