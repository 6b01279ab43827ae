import { describe, expect, it } from "vitest";
import type { QueueChanged } from "../../../src/ports/pool-events.ts";
import { createPoolEvents } from "../../../src/scheduler/slots/pool-events.ts";
import { OTHER_REPO, REPO } from "../../support/builders.ts";
import { TestLog } from "../../support/test-log.ts";

const slots = new Map([["agent", 2]]);

function view(repo: typeof REPO, waiting: number, busy: number) {
  return {
    repo,
    slots,
    waiting: new Map([["agent", waiting]]),
    busy: Array.from({ length: busy }, () => "agent"),
  };
}

describe("PoolEvents", () => {
  it("tells subscribers and the log when a queue changes, and only then", () => {
    const log = new TestLog();
    const pool = createPoolEvents(log);
    const heard: QueueChanged[] = [];
    const unsubscribe = pool.subscribe((event) => heard.push(event));
    pool.update(view(REPO, 0, 0));
    pool.update(view(REPO, 1, 2));
    pool.update(view(REPO, 1, 2));
    pool.update(view(OTHER_REPO, 3, 2));
    unsubscribe();
    pool.update(view(REPO, 0, 1));
    const changed = { kind: "queue-changed", runner: "agent" };
    expect(heard).toEqual([
      { ...changed, waiting: 1, busy: 2, free: 0 },
      { ...changed, waiting: 4, busy: 2, free: 0 },
    ]);
    expect(pool.queues().get("agent")).toEqual({ waiting: 3, busy: 1, free: 1 });
  });

  it("names the other repositories that wait for a slot that came free", () => {
    const pool = createPoolEvents(new TestLog());
    pool.update(view(REPO, 0, 2));
    expect(pool.update(view(OTHER_REPO, 1, 2))).toEqual([]);
    expect(pool.update(view(REPO, 0, 1))).toEqual([OTHER_REPO]);
    expect(pool.update(view(REPO, 0, 1))).toEqual([]);
  });
});
