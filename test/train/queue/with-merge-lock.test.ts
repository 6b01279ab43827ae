import { beforeEach, describe, expect, it } from "vitest";
import { newTrain, trainIdOf } from "../../../src/domain/train.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import { recordUnder, renewed, withMergeLock } from "../../../src/train/queue/with-merge-lock.ts";
import { REPO } from "../../support/builders.ts";
import { createInstance } from "../model/instance.ts";
import { ModelClock } from "../model/model-clock.ts";
import { ModelHub } from "../model/model-hub.ts";
import { ModelStore } from "../model/model-store.ts";
import { Objects } from "../model/objects.ts";
import { Turns } from "../model/turns.ts";

const TRAIN = trainIdOf(REPO, "main");

let clock: ModelClock;
let store: ModelStore;
let one: Deps;
let other: Deps;
beforeEach(() => {
  clock = new ModelClock();
  store = new ModelStore(() => clock.now);
  const turns = new Turns();
  turns.calm = true;
  const hub = new ModelHub(new Objects(), "main", {});
  const shared = { turns, hub, store, clock, random: () => 0, isGreen: () => true };
  one = createInstance("one", shared);
  other = createInstance("other", shared);
});

const change = () => ({ kind: "train-added", train: newTrain(REPO, "main", clock.now) }) as const;

describe("withMergeLock", () => {
  it("keeps a second process out, and says until when", async () => {
    await withMergeLock(TRAIN, one, async () => {
      const second = await withMergeLock(TRAIN, other, () => Promise.resolve("in"));
      expect(second).toMatchObject({ kind: "busy" });
    });
    const later = await withMergeLock(TRAIN, other, () => Promise.resolve("in"));
    expect(later).toEqual({ kind: "done", value: "in" });
  });

  it("lets a holder that was away for too long write nothing more", async () => {
    await withMergeLock(TRAIN, one, async (lock) => {
      clock.pass(10 * 60_000);
      await withMergeLock(TRAIN, other, () => Promise.resolve());
      const late = recordUnder(lock, { repo: REPO, changes: [change()] }, one);
      await expect(late).rejects.toMatchObject({ code: "store-fenced" });
      await expect(renewed(lock, one)).rejects.toMatchObject({ code: "store-fenced" });
    });
    expect(store.memory().trains).toEqual([]);
  });

  it("is free again when the work failed", async () => {
    await expect(withMergeLock(TRAIN, one, () => Promise.reject(new Error("x")))).rejects.toThrow();
    expect(await withMergeLock(TRAIN, other, () => Promise.resolve(1))).toMatchObject({
      kind: "done",
    });
  });
});
