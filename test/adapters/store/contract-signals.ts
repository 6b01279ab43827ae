import { describe, expect, it } from "vitest";
import * as given from "../../support/builders.ts";
import { later } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";

export function describeSignals(use: UnderTest): void {
  describe("signals", () => {
    it("knows a delivery that it has seen before, also after a tick saw it", async () => {
      expect(await use.store().addSignal(given.aSignal())).toBe("new");
      expect(await use.store().addSignal(given.aSignal({ event: "push" }))).toBe("duplicate");
      await use.store().markSeen(["delivery-1"], later(1));
      expect(await use.store().addSignal(given.aSignal())).toBe("duplicate");
      expect(await use.store().unseenSignals()).toEqual([]);
    });

    it("takes one of many deliveries with the same id that arrive at once", async () => {
      const results = await Promise.all(
        Array.from({ length: 10 }, () => use.store().addSignal(given.aSignal())),
      );
      expect(results.filter((result) => result === "new")).toHaveLength(1);
      expect(await use.store().unseenSignals()).toEqual([given.aSignal()]);
    });

    it("keeps each of a burst, also when one of them comes twice", async () => {
      const ids = Array.from({ length: 700 }, (_, i) => `burst-${i}`);
      const burst = [...ids, "burst-3"].map((deliveryId) => given.aSignal({ deliveryId }));
      const answers = await Promise.all(burst.map((signal) => use.store().addSignal(signal)));
      expect(answers.indexOf("duplicate")).toBe(700);
      const kept = (await use.store().unseenSignals()).map((signal) => signal.deliveryId);
      expect(kept.sort()).toEqual(ids.sort());
    });

    it("lists unseen signals in the order of their arrival", async () => {
      const second = given.aSignal({ deliveryId: "a", receivedAt: later(1) });
      const first = given.aSignal({ deliveryId: "b", repo: undefined, action: undefined });
      const third = given.aSignal({ deliveryId: "c", receivedAt: later(2) });
      for (const signal of [second, first, third]) await use.store().addSignal(signal);
      expect(await use.store().unseenSignals()).toEqual([first, second, third]);
      await use.store().markSeen(["a", "b", "unknown"], later(3));
      expect(await use.store().unseenSignals()).toEqual([third]);
    });
  });

  describe("publications", () => {
    it("remembers the last one of each place", async () => {
      const key = "comment:octo/app#1";
      expect(await use.store().publication(key)).toBeUndefined();
      await use.store().savePublication({ key, remoteId: "1", digest: "a" });
      await use.store().savePublication({ key, remoteId: "2", digest: "b" });
      expect(await use.store().publication(key)).toEqual({ key, remoteId: "2", digest: "b" });
    });

    it("tells those of many places at once, and leaves out where nothing was written", async () => {
      const keys = Array.from({ length: 1200 }, (_, i) => `comment:octo/app#${i}`);
      const [first = "", last = ""] = [keys.at(0), keys.at(-1)];
      await use.store().savePublication({ key: first, remoteId: "1", digest: "a" });
      await use.store().savePublication({ key: last, remoteId: "2", digest: "b" });
      await use.store().savePublication({ key: "not asked for", remoteId: "3", digest: "c" });
      const found = await use.store().publications(keys);
      expect([...found.keys()].sort()).toEqual([first, last].sort());
      expect(found.get(last)).toEqual({ key: last, remoteId: "2", digest: "b" });
      expect(await use.store().publications([])).toEqual(new Map());
    });
  });
}
