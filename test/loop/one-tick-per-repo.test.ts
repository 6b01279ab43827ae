import { beforeEach, describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { Tick } from "../../src/loop/lane.ts";
import { oneTickPerRepo } from "../../src/loop/one-tick-per-repo.ts";
import { OTHER_REPO, REPO } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { useStore } from "../support/use-store.ts";

const RUNNERS = { runners: { agent: { command: "agent" } } };
const SHARED = operatorConfigSchema.parse({
  ...RUNNERS,
  store: { url: "postgres://somewhere/wavetrain" },
});
const ALONE = operatorConfigSchema.parse(RUNNERS);

let clock = new TestClock();
const store = useStore(() => clock.now());
beforeEach(() => {
  clock = new TestClock();
});

const server = (holder: string, tick: Tick, operator = SHARED): Tick =>
  oneTickPerRepo("look", tick, { operator, holder, store: store(), clock });

describe("inTurns", () => {
  it("lets the second server tick when the first has ended, with the same news", async () => {
    const first = deferred<number>();
    const seen: string[] = [];
    const a = server("a", () => first.promise)(REPO, "github-changed");
    await clock.settle();
    const b = server("b", (_, news) => {
      seen.push(news);
      return Promise.resolve(2);
    })(REPO, "github-changed");
    await clock.advance(1000);
    expect(seen).toEqual([]);
    first.resolve(1);
    expect(await a).toBe(1);
    await clock.advance(1000);
    expect([await b, seen]).toEqual([2, ["github-changed"]]);
  });

  it("holds up no other repository", async () => {
    const first = deferred<undefined>();
    const a = server("a", () => first.promise)(REPO, "we-changed");
    await clock.settle();
    expect(await server("b", () => Promise.resolve(7))(OTHER_REPO, "we-changed")).toBe(7);
    first.resolve(undefined);
    await a;
  });

  it("goes on after a tick that failed", async () => {
    const failing = server("a", () => Promise.reject(new Error("no network")));
    await expect(failing(REPO, "we-changed")).rejects.toThrow("no network");
    expect(await server("b", () => Promise.resolve(3))(REPO, "we-changed")).toBe(3);
  });

  it("asks nobody when the store has one server", () => {
    const tick: Tick = () => Promise.resolve(undefined);
    expect(server("a", tick, ALONE)).toBe(tick);
  });
});
