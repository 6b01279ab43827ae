import { beforeEach, describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { createPublishingTurns } from "../../src/loop/publishing-turns.ts";
import type { KeyedQueue } from "../../src/shared/keyed-queue.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { useStore } from "../support/use-store.ts";

const operator = operatorConfigSchema.parse({
  runners: { agent: { command: "agent" } },
  store: { url: "postgres://somewhere/wavetrain" },
});

let clock = new TestClock();
const store = useStore(() => clock.now());
beforeEach(() => {
  clock = new TestClock();
});

const server = (holder: string): KeyedQueue =>
  createPublishingTurns({ operator, holder, store: store(), clock });

describe("createPublishingTurns", () => {
  it("lets one server at a time write to a place", async () => {
    const first = deferred<string>();
    const seen: string[] = [];
    const a = server("a")("check:octo/app@1", () => first.promise);
    await clock.settle();
    const b = server("b")("check:octo/app@1", () => Promise.resolve(seen.push("b")));
    await clock.advance(1000);
    expect(seen).toEqual([]);
    first.resolve("done");
    expect(await a).toBe("done");
    await clock.advance(1000);
    await b;
    expect(seen).toEqual(["b"]);
  });

  it("goes on after a write that failed", async () => {
    const failing = server("a")("check:octo/app@1", () => Promise.reject(new Error("no network")));
    await expect(failing).rejects.toThrow("no network");
    expect(await server("b")("check:octo/app@1", () => Promise.resolve(3))).toBe(3);
  });
});
