import { beforeEach, describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { PullReview } from "../../src/domain/pull-review.ts";
import type { AskedRework } from "../../src/domain/task.ts";
import { tick } from "../../src/feedback/tick.ts";
import type { FeedbackPass } from "../../src/feedback/tick.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aPull, aReading, aTask } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { useStore } from "../support/use-store.ts";

const MINUTE_MS = 60_000;
const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const SAID_AT = NOW + MINUTE_MS;
const REVIEW: PullReview = {
  id: "r1",
  by: "bob",
  automated: false,
  at: SAID_AT,
  comments: [],
  state: "changes-requested",
  body: "In French, please.",
};

let clock = new TestClock();
const store = useStore(() => clock.now());
let reviews: readonly PullReview[];
let calls: number;

beforeEach(async () => {
  clock = new TestClock();
  reviews = [];
  calls = 0;
  const task = aTask({ state: "review", pull: 11, changedAt: instant(NOW - MINUTE_MS) });
  await store().record(REPO, [{ kind: "task-added", task }]);
  await clock.advance(10 * MINUTE_MS);
});

/** A tick that goes by a reading of this time, in which changes are requested or not. */
async function tickAt(readAt: number, isRequested: boolean): Promise<FeedbackPass> {
  const pull = aPull({
    review: isRequested ? "changes-requested" : "none",
    changesRequested: isRequested ? [{ id: "r1", at: SAID_AT }] : [],
  });
  const github = {
    reviewsOf: () => {
      calls += 1;
      return Promise.resolve(reviews);
    },
    mayWrite: () => Promise.resolve(true),
  };
  const deps = { botLogin: "wavetrain[bot]", clock, github, store: store(), wake: () => undefined };
  const stored = await store().readRepo(REPO);
  const reading = aReading({ pulls: [pull], readAt });
  const seen = { reading, stored, checkedWithoutResult: new Map() };
  return tick(CONTEXT, seen, deps as unknown as Deps);
}

async function asked(): Promise<AskedRework | undefined> {
  return (await store().readRepo(REPO)).tasks[0]?.rework;
}

describe("the tick of feedback", () => {
  it("keeps what was asked for on the task, and reads it once", async () => {
    reviews = [REVIEW];
    expect(await tickAt(clock.now(), true)).toMatchObject({ wrote: true });
    expect(await asked()).toMatchObject({
      kind: "review",
      answers: ["r1"],
      feedback: [{ from: "bob", text: "In French, please." }],
    });
    expect(await tickAt(clock.now() + 1, true)).toMatchObject({ wrote: false });
    expect(calls).toBe(1);
  });

  it("says once on the task when a run begins, while people may still add to it", async () => {
    clock = new TestClock();
    await clock.advance(1.5 * MINUTE_MS);
    const until = SAID_AT + 2 * MINUTE_MS;
    expect(await tickAt(clock.now(), true)).toMatchObject({ wrote: true, again: until });
    expect((await store().readRepo(REPO)).tasks[0]).toMatchObject({
      state: "review",
      notBefore: until,
      reason: "changes are requested on #11; a run starts after 2 min of quiet",
    });
    expect(await tickAt(clock.now() + 1, true)).toMatchObject({ wrote: false, again: until });
  });

  it("takes it back when nobody asks any more", async () => {
    reviews = [REVIEW];
    await tickAt(clock.now(), true);
    expect(await tickAt(clock.now() + 1, false)).toMatchObject({ wrote: true });
    expect(await asked()).toBeUndefined();
  });

  it("does not take back what a newer reading showed to another server", async () => {
    reviews = [REVIEW];
    await tickAt(clock.now(), true);
    expect(await tickAt(clock.now() - MINUTE_MS, false)).toMatchObject({ wrote: false });
    expect(await asked()).toBeDefined();
  });
});
