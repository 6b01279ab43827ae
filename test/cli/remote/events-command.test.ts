import { describe, expect, it } from "vitest";
import { eventFromRow, eventRow, FIRST_LINK } from "../../../src/adapters/store/rows/event-row.ts";
import {
  renderChainCheck,
  renderEvent,
  verifyEvents,
} from "../../../src/cli/remote/events-command.ts";
import type { Change } from "../../../src/domain/change.ts";
import type { RecordedEvent } from "../../../src/ports/store.ts";
import {
  NOW,
  REPO,
  SUCCEEDED,
  aPlan,
  aRun,
  aTask,
  anExploration,
  shaOf,
} from "../../support/builders.ts";

function chain(length: number): readonly RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (let n = 1; n <= length; n += 1) {
    const change = { kind: "task-added", task: aTask({ issue: n }) } as const;
    const content = { at: NOW, repo: REPO, subject: `octo/app#${n}`, change };
    events.push(eventFromRow(eventRow(events.at(-1) ?? FIRST_LINK, content)));
  }
  return events;
}

// eslint-disable-next-line @typescript-eslint/require-await -- what is checked comes from a store or a server
async function* stream(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent> {
  yield* events;
}

describe("verifyEvents", () => {
  it("finds an untouched chain unbroken", async () => {
    const events = chain(4);
    const verdict = await verifyEvents(stream(events));
    expect(verdict).toMatchObject({ events: 4, broken: undefined });
    expect(renderChainCheck(verdict)).toBe(`4 events, unbroken; the last is 4, ${events[3]?.hash}`);
  });

  it("names the event that was changed", async () => {
    const events = chain(4).map((event) =>
      event.seq === 3 ? { ...event, subject: "octo/app#9" } : event,
    );
    const verdict = await verifyEvents(stream(events));
    expect(verdict.broken).toBe(3);
    expect(renderChainCheck(verdict)).toBe(
      "the chain of events breaks at 3: it is not what was written after 2",
    );
  });

  it("names the event before which one is missing", async () => {
    const verdict = await verifyEvents(stream(chain(4).filter(({ seq }) => seq !== 2)));
    expect(verdict.broken).toBe(3);
  });
});

describe("an event of an exploration", () => {
  const OPEN = { depth: 2, evaluations: [], openedAt: NOW, promoted: [] };
  const CLOSED = { ...OPEN, depth: 1, closedAt: NOW, promoted: [2, 4] };
  const { id } = anExploration();
  const moved = { kind: "exploration-moved", exploration: id, from: "exploring" } as const;
  const at = { unchangedSince: NOW, at: NOW } as const;

  it.each<[Change, string]>([
    [
      { kind: "exploration-opened", exploration: anExploration({ plan: aPlan() }) },
      "exploration-opened exploring: up to 6 evaluations",
    ],
    [
      { ...moved, ...at, to: "exploring", set: { levels: [CLOSED, OPEN] } },
      "exploration-moved exploring to exploring: level 1 promoted 2, 4; level 2 has 0 evaluations",
    ],
    [
      { ...moved, ...at, to: "exploring", set: { stop: { why: "cancelled by ann", keep: true } } },
      "exploration-moved exploring to exploring: cancelled by ann",
    ],
    [
      {
        ...moved,
        ...at,
        to: "ended",
        set: {
          levels: [{ ...CLOSED, promoted: [] }],
          end: { why: "over", winner: 2, rebased: { onto: shaOf(1), score: 12.1 } },
        },
      },
      "exploration-moved exploring to ended: level 1 promoted nothing; over; the winner is 2; the base moved meanwhile: put on 0000000 and scored again, 12.1",
    ],
    [
      { ...moved, ...at, to: "ended", set: { end: { why: "over" } } },
      "exploration-moved exploring to ended: over; nothing was taken",
    ],
    [
      { ...moved, ...at, from: "to-confirm", to: "confirmed", set: {} },
      "exploration-moved to-confirm to confirmed",
    ],
    [{ kind: "run-rebased", run: aRun().id, outcome: SUCCEEDED, at: NOW }, "run-rebased succeeded"],
  ])("says what happened: %o", (change, words) => {
    const event = { seq: 7, at: NOW, repo: REPO, subject: "it", change, hash: "" };
    expect(renderEvent(event)).toBe(`7  2023-11-14 22:13:20Z  it  ${words}`);
  });
});
