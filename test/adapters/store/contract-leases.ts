import { beforeEach, describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import type { Acquired, Lease } from "../../../src/ports/store.ts";
import * as given from "../../support/builders.ts";
import { NOW, REPO } from "../../support/builders.ts";
import { added, later } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";

const fenced = { name: "AppError", code: "store-fenced" };

function held(acquired: Acquired): Lease {
  if (acquired.kind !== "held") throw new Error(`the lease is ${acquired.holder}'s`);
  return acquired.lease;
}

export function describeLeases(use: UnderTest): void {
  const acquire = (holder: string, ttlMs = 1000) =>
    use.store().acquireLease("train", holder, ttlMs);
  const write = (lease: Lease, issue: number) =>
    use.store().record(REPO, [added(given.aTask({ issue }))], { kind: "lease", lease });

  describe("leases", () => {
    let lease: Lease;
    beforeEach(async () => {
      lease = held(await acquire("a"));
    });

    it("tell who has them and until when", async () => {
      expect(lease).toEqual({ name: "train", holder: "a", fence: 1, expiresAt: later(1000) });
      expect(await acquire("b")).toEqual({ kind: "busy", holder: "a", until: later(1000) });
      expect(held(await use.store().acquireLease("other", "b", 5))).toMatchObject({ fence: 1 });
    });

    it("go to another the moment they are over, under a higher number", async () => {
      use.at(NOW + 999);
      expect(await acquire("b")).toMatchObject({ kind: "busy" });
      use.at(NOW + 1000);
      expect(held(await acquire("b"))).toMatchObject({ holder: "b", fence: 2 });
    });

    it("go to another once they are released, and only their holder can release them", async () => {
      await use.store().releaseLease({ ...lease, fence: 9 });
      await use.store().releaseLease({ ...lease, holder: "b" });
      expect(await acquire("b")).toMatchObject({ kind: "busy" });
      await use.store().releaseLease(lease);
      expect(held(await acquire("b"))).toMatchObject({ fence: 2 });
    });

    it("get a new number when their holder asks again, as after a restart", async () => {
      expect(held(await acquire("a"))).toMatchObject({ fence: 2 });
      expect(await use.store().renewLease(lease, 1000)).toBeUndefined();
      await expect(write(lease, 1)).rejects.toMatchObject(fenced);
    });

    it("last longer when they are renewed in time, under the same number", async () => {
      use.at(NOW + 999);
      const renewed = await use.store().renewLease(lease, 1000);
      expect(renewed).toEqual({ ...lease, expiresAt: later(1999) });
      use.at(NOW + 1998);
      await write(lease, 1);
    });

    it("cannot be renewed once they are over, even if nobody took them", async () => {
      use.at(NOW + 1000);
      expect(await use.store().renewLease(lease, 1000)).toBeUndefined();
    });

    it("go to one of many who ask at once", async () => {
      use.at(NOW + 1000);
      const rivals = Array.from({ length: 12 }, (_, n) => acquire(`rival-${n}`));
      const winners = (await Promise.all(rivals)).filter(({ kind }) => kind === "held");
      expect(winners).toHaveLength(1);
    });

    it("allow a write while they last, and none after", async () => {
      await write(lease, 1);
      use.at(NOW + 1000);
      await expect(write(lease, 2)).rejects.toMatchObject(fenced);
      const next = held(await acquire("b"));
      await expect(write(lease, 2)).rejects.toMatchObject(fenced);
      await expect(write({ ...next, holder: "a" }, 2)).rejects.toMatchObject(fenced);
      await expect(
        write({ ...next, name: "none", expiresAt: instant(9e15) }, 2),
      ).rejects.toMatchObject(fenced);
      await write(next, 2);
      expect((await use.store().readRepo(REPO)).tasks).toHaveLength(2);
    });
  });
}
