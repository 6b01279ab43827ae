import { describe, expect, it } from "vitest";
import { createFinishingRoom } from "../../src/runner/finishing-room.ts";
import { NOW } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";

describe("FinishingRoom", () => {
  it("lets in as many as there are places, then one for each that leaves, in their order", async () => {
    const room = createFinishingRoom(2, new TestClock());
    const order: number[] = [];
    const entries = [1, 2, 3, 4].map(async (run) => {
      const place = await room.enter();
      order.push(run);
      return place;
    });
    const [first, second] = await Promise.all(entries.slice(0, 2));
    expect([order, room.load.finishing]).toEqual([[1, 2], 4]);
    second?.leave();
    const third = await entries[2];
    expect(order).toEqual([1, 2, 3]);
    for (const place of [first, third]) place?.leave();
    (await entries[3])?.leave();
    expect([order, room.load.finishing]).toEqual([[1, 2, 3, 4], 0]);
  });

  it("makes room once for a run that is pushed, and remembers since when its pull request is waited for", async () => {
    const clock = new TestClock();
    const room = createFinishingRoom(1, clock);
    const first = await room.enter();
    const second = room.enter();
    first.pushed();
    const place = await second;
    await clock.advance(1000);
    place.pushed();
    place.pushed();
    expect(room.load).toEqual({ finishing: 0, publishing: 2, publishingSince: NOW });
    first.leave();
    first.leave();
    expect(room.load).toEqual({ finishing: 0, publishing: 1, publishingSince: NOW + 1000 });
    place.leave();
    expect(room.load.publishing).toBe(0);
  });

  it("lets nobody in while a slot is being filled, and waits no longer for that than a moment", async () => {
    const clock = new TestClock();
    const room = createFinishingRoom(1, clock);
    const order: string[] = [];
    const enter = async (run: string): Promise<void> => {
      const place = await room.enter();
      order.push(run);
      place.leave();
    };
    const begins = room.startFirst();
    const first = enter("first");
    await clock.settle();
    expect([order, room.load.finishing]).toEqual([[], 1]);
    begins();
    await first;
    room.startFirst();
    const second = enter("second");
    await clock.advance(499);
    expect(order).toEqual(["first"]);
    await clock.advance(1);
    await second;
    expect(order).toEqual(["first", "second"]);
  });
});
