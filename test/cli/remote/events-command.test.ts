import { describe, expect, it } from "vitest";
import { eventFromRow, eventRow, FIRST_LINK } from "../../../src/adapters/store/rows/event-row.ts";
import { renderChainCheck, verifyEvents } from "../../../src/cli/remote/events-command.ts";
import type { RecordedEvent } from "../../../src/ports/store.ts";
import { aTask, NOW, REPO } from "../../support/builders.ts";

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
