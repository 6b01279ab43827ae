import { describe, expect, it } from "vitest";
import {
  GITHUB_LIMITS,
  NOTHING_SPENT,
  spend,
} from "../../../../src/adapters/github/connection/decide-when.ts";
import { usually } from "../../../../src/adapters/github/connection/kind-of-write.ts";
import {
  decideExpected,
  decideTurn,
} from "../../../../src/adapters/github/connection/turn-order.ts";
import type { Queue, Waiting } from "../../../../src/adapters/github/connection/turn-order.ts";
import type { WriteKind } from "../../../../src/ports/api-budget.ts";

const NOW = 1_000_000;
/** The burst is gone: the next may go in a second. */
const BUSY = { ...NOTHING_SPENT, restedAt: NOW + 10_000 };

/** Whatever a write is about, ten may go at once. */
const LIMITS = { ...GITHUB_LIMITS, keptForWork: 0 };

function waits(kind: WriteKind, agoMs = 0): Waiting {
  return { request: usually(kind), since: NOW - agoMs };
}

function queueOf(waiting: readonly Waiting[], spent = BUSY): Queue {
  return { waiting, spent, limits: LIMITS, now: NOW };
}

/** Everyone in the order of their turns. */
function orderOf({ waiting, spent, ...rest }: Queue): readonly Waiting["request"]["kind"][] {
  const turn = decideTurn({ waiting, spent, ...rest });
  if (turn === undefined) return [];
  const left = waiting.filter((one) => one !== turn.next);
  const after = spend(spent, { ...turn.next.request, at: turn.at }, rest.limits);
  const others = orderOf({ ...rest, waiting: left, spent: after, now: turn.at });
  return [turn.next.request.kind, ...others];
}

describe("whose turn it is", () => {
  it("is the most worthy one's: landing, pull request, check, card, issue, comment", () => {
    const kinds = ["comment", "issue", "card", "check", "pull-request", "landing"] as const;
    const queue = queueOf(kinds.map((kind) => waits(kind)));
    expect(decideTurn(queue)?.at).toBe(NOW + 1000);
    expect(orderOf(queue)).toEqual(kinds.toReversed());
  });

  it("is of equals that one's who came first", () => {
    const [late, early] = [waits("card", 100), waits("card", 200)];
    expect(decideTurn(queueOf([late, early]))?.next).toBe(early);
  });

  it.each([
    { old: "comment", agoMs: 60_000, fresh: "landing", first: "comment" },
    { old: "comment", agoMs: 40_000, fresh: "landing", first: "landing" },
    { old: "card", agoMs: 10_000, fresh: "landing", first: "card" },
    { old: "card", agoMs: 5_000, fresh: "landing", first: "landing" },
    { old: "pull-request", agoMs: 9_000, fresh: "landing", first: "pull-request" },
  ] as const)(
    "is lifted by waiting: of a $old after $agoMs ms and a new $fresh it is the $first's",
    ({ old, agoMs, fresh, first }) => {
      const queue = queueOf([waits(fresh), waits(old, agoMs)]);
      expect(decideTurn(queue)?.next.request.kind).toBe(first);
    },
  );

  it("passes those over that may not go yet", () => {
    const content = Array<number>(500).fill(NOW - 1000);
    const queue = queueOf([waits("pull-request"), waits("card")], { ...BUSY, content });
    expect(decideTurn(queue)).toMatchObject({ next: { request: { kind: "card" } } });
  });

  it("is at last that one's for whom nothing was left by what is kept for work", () => {
    const queue = { ...queueOf([waits("card", 9_000)]), limits: GITHUB_LIMITS };
    expect(decideTurn(queue)?.at).toBe(NOW + 1000);
    expect(decideTurn({ ...queue, waiting: [waits("card")] })?.at).toBe(NOW + 6000);
  });

  it("is nobody's when nobody waits", () => {
    expect(decideTurn(queueOf([]))).toBeUndefined();
  });
});

describe("when a request would go", () => {
  const ten = Array.from({ length: 10 }, () => waits("comment"));

  it.each([
    ["comment", 11_000],
    ["landing", 1_000],
    ["card", 1_000],
  ] as const)("behind ten comments, a %s in %i ms", (kind, ms) => {
    expect(decideExpected(waits(kind), queueOf(ten)) - NOW).toBe(ms);
  });

  it("is now while the burst lasts, and for a read", () => {
    expect(decideExpected(waits("comment"), queueOf([], NOTHING_SPENT))).toBe(NOW);
    const request = { api: "graphql", kind: "read", content: false } as const;
    expect(decideExpected({ request, since: NOW }, queueOf(ten))).toBe(NOW);
  });

  it("is never a comment's or a card's before a landing that has waited, however old they are", () => {
    for (const old of ["comment", "card", "check"] as const) {
      const queue = queueOf([waits(old, 600_000), waits("landing", 4_000)]);
      expect(decideTurn(queue)?.next.request.kind).toBe("landing");
    }
  });
});
