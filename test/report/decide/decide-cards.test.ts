import { describe, expect, it } from "vitest";
import type { Board, ColumnRole } from "../../../src/domain/board.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { TaskState } from "../../../src/domain/task.ts";
import { decideCardMoves } from "../../../src/report/decide/decide-cards.ts";
import { NOW, aCard, aTask } from "../../support/builders.ts";

const AGAIN = instant(NOW + 1000);

function boardWith(role: ColumnRole | undefined, missingRoles: readonly ColumnRole[] = []): Board {
  return { cards: [aCard({ role })], missingRoles };
}

describe("decideCardMoves", () => {
  it.each<{ state: TaskState; card: ColumnRole; role: ColumnRole | undefined }>([
    { state: "waiting", card: "ready", role: undefined },
    { state: "waiting", card: "running", role: undefined },
    { state: "waiting", card: "blocked", role: "ready" },
    { state: "blocked", card: "ready", role: "blocked" },
    { state: "running", card: "ready", role: "running" },
    { state: "review", card: "running", role: "review" },
    { state: "queued", card: "review", role: "queued" },
    { state: "landed", card: "queued", role: "done" },
    { state: "failed", card: "running", role: "blocked" },
    { state: "cancelled", card: "running", role: undefined },
  ])("moves the card of a $state task from $card to $role", ({ state, card, role }) => {
    const moves = decideCardMoves([aTask({ state })], boardWith(card), new Map());
    expect(moves.map((move) => move.role)).toEqual(role === undefined ? [] : [role]);
  });

  it("leaves a card where it is that would be queued for a few seconds only", () => {
    const dueIn = (state: TaskState): number => {
      const [move] = decideCardMoves([aTask({ state })], boardWith("ready"), new Map());
      return (move?.dueAt ?? NaN) - aTask({ state }).changedAt;
    };
    expect([dueIn("queued"), dueIn("landed"), dueIn("review")]).toEqual([10_000, 0, 0]);
  });

  it("moves a card once: where a person puts it afterwards it stays", () => {
    const task = aTask({ state: "review" });
    const [move] = decideCardMoves([task], boardWith("running"), new Map());
    const moved = new Map([[task.id, move!.mark]]);
    expect(decideCardMoves([task], boardWith(undefined), moved)).toEqual([]);
  });

  it("puts a card back that someone without the right moved, once for each time", () => {
    const strayedAt = instant(NOW + 5);
    const astray = { cards: [aCard({ role: undefined, movedAt: strayedAt })], missingRoles: [] };
    for (const [state, role] of [
      ["running", "running"],
      ["waiting", "ready"],
    ] as const) {
      const before = aTask({ state });
      const done = new Map([[before.id, `${role}@${before.readySince}`]]);
      expect(decideCardMoves([before], astray, done)).toEqual([]);
      const [move] = decideCardMoves([{ ...before, strayedAt }], astray, done);
      expect(move?.role).toBe(role);
      const again = new Map([[before.id, move?.mark ?? ""]]);
      expect(decideCardMoves([{ ...before, strayedAt }], astray, again)).toEqual([]);
    }
  });

  it("moves it again when a person asked for the task again", () => {
    const task = aTask({ state: "running" });
    const [move] = decideCardMoves([task], boardWith("ready"), new Map());
    const moved = new Map([[task.id, move!.mark]]);
    const asked = { ...task, readySince: AGAIN };
    expect(decideCardMoves([asked], boardWith("ready"), moved)).toMatchObject([
      { role: "running" },
    ]);
  });

  it("leaves a card where it is when the board has no such column", () => {
    expect(
      decideCardMoves([aTask({ state: "queued" })], boardWith("review", ["queued"]), new Map()),
    ).toEqual([]);
  });

  it("has nothing to move for a task whose card is gone", () => {
    const board = { cards: [], missingRoles: [] };
    expect(decideCardMoves([aTask({ state: "running" })], board, new Map())).toEqual([]);
  });

  it("moves the card that is on the board now, whichever the task began with", () => {
    const task = aTask({ state: "running", cardId: "old-card" });
    const board = { cards: [aCard({ id: "new-card" })], missingRoles: [] };
    expect(decideCardMoves([task], board, new Map())).toMatchObject([{ cardId: "new-card" }]);
  });
});
