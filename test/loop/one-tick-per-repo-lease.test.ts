import { beforeEach, describe, expect, it } from "vitest";
import { withLease } from "../../src/loop/one-tick-per-repo.ts";
import type { Lease } from "../../src/ports/store.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { REPO, aTask } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { useStore } from "../support/use-store.ts";

const TTL_MS = 3000;
const REQUEST = { name: "train:main", holder: "a", ttlMs: TTL_MS };
const CHANGE = { kind: "task-added", task: aTask() } as const;

let clock = new TestClock();
const store = useStore(() => clock.now());
const deps = () => ({ store: store(), clock });
const acquire = (holder: string) => store().acquireLease(REQUEST.name, holder, TTL_MS);

beforeEach(() => {
  clock = new TestClock();
});

describe("withLease", () => {
  it("works under the lease, lets it go and leaves no timer", async () => {
    const done = await withLease(REQUEST, deps(), async (lease) => {
      expect(await acquire("b")).toMatchObject({ kind: "busy", holder: "a" });
      await store().record(REPO, [CHANGE], { kind: "lease", lease });
      return "result";
    });
    expect(done).toEqual({ kind: "done", result: "result" });
    expect(await acquire("b")).toMatchObject({ kind: "held", lease: { fence: 2 } });
    expect(clock.waiting).toEqual([]);
  });

  it("does nothing while someone else has it", async () => {
    await acquire("b");
    const work = () => Promise.reject(new Error("must not be called"));
    expect(await withLease(REQUEST, deps(), work)).toMatchObject({ kind: "busy", holder: "b" });
  });

  it("lets it go when the work fails", async () => {
    const work = () => Promise.reject(new Error("the work failed"));
    await expect(withLease(REQUEST, deps(), work)).rejects.toThrow("the work failed");
    expect(await acquire("b")).toMatchObject({ kind: "held" });
  });

  describe("while the work goes on", () => {
    let end: () => void;
    let lease: Lease;
    let signal: AbortSignal;
    let done: Promise<unknown>;
    let renew: "works" | "fails";

    beforeEach(async () => {
      renew = "works";
      const work = deferred<undefined>();
      end = () => work.resolve(undefined);
      const real = store();
      const wavering = {
        ...real,
        renewLease: (...args: Parameters<typeof real.renewLease>) =>
          renew === "works"
            ? real.renewLease(...args)
            : Promise.reject(new AppError("store-unusable", "the disk is full")),
      };
      done = withLease(REQUEST, { store: wavering, clock }, (...given) => {
        [lease, signal] = given;
        return work.promise;
      });
      await clock.settle();
    });

    it("is renewed for as long as it takes", async () => {
      await clock.advance(20 * TTL_MS);
      expect(signal.aborted).toBe(false);
      await store().record(REPO, [CHANGE], { kind: "lease", lease });
      end();
      await done;
    });

    it("tells at the next renewal that another took it, who alone can write", async () => {
      clock.jump(TTL_MS);
      expect(await acquire("b")).toMatchObject({ kind: "held" });
      await clock.advance(TTL_MS / 3);
      expect(signal.aborted).toBe(true);
      const write = store().record(REPO, [CHANGE], { kind: "lease", lease });
      await expect(write).rejects.toMatchObject({ code: "store-fenced" });
      end();
      await done;
      expect(await acquire("c")).toMatchObject({ kind: "busy", holder: "b" });
    });

    it("outlives a store that fails for a while, and not one that fails until the end", async () => {
      renew = "fails";
      await clock.advance(TTL_MS - 1);
      expect(signal.aborted).toBe(false);
      renew = "works";
      await clock.advance(1);
      expect(signal.aborted).toBe(true);
      end();
      await done;
    });
  });
});
