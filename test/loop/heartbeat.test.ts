import { beforeEach, describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { keepAlive } from "../../src/loop/heartbeat.ts";
import type { Store } from "../../src/ports/store.ts";
import { aRun } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

const operator = operatorConfigSchema.parse({
  runners: { agent: { command: "agent" } },
  claimsStaleAfter: "10s",
});

let clock: TestClock;
let log: TestLog;
let beats: number;
let answer: () => Promise<boolean>;
let given: number;
let silence: () => void;

beforeEach(async () => {
  clock = new TestClock();
  log = new TestLog();
  beats = 0;
  given = 0;
  answer = () => Promise.resolve(true);
  const heartbeat: Store["heartbeat"] = () => {
    beats += 1;
    return answer();
  };
  const deps = { clock, log, operator, store: { heartbeat } as Store };
  silence = keepAlive(aRun().id, deps, () => (given += 1));
  await clock.settle();
});

describe("keepAlive", () => {
  it("beats at once and ten times within the limit, until it is silenced", async () => {
    expect(beats).toBe(1);
    await clock.advance(10_000);
    expect(beats).toBe(11);
    silence();
    await clock.advance(10_000);
    expect([beats, given, clock.waiting.length]).toEqual([11, 0, 0]);
  });

  it("gives the run up, once, when the store says that it has ended", async () => {
    answer = () => Promise.resolve(false);
    await clock.advance(5000);
    expect([beats, given]).toEqual([2, 1]);
  });

  it("says nothing of a run that ended while the store was asked", async () => {
    answer = () => {
      silence();
      return Promise.resolve(false);
    };
    await clock.advance(5000);
    expect([beats, given, clock.waiting.length]).toEqual([2, 0, 0]);
  });

  it("goes on when a beat cannot be written", async () => {
    answer = () => Promise.reject(new Error("the disk is full"));
    await clock.advance(2000);
    answer = () => Promise.resolve(true);
    await clock.advance(1000);
    expect([beats, given]).toEqual([4, 0]);
    expect(log.seen).toEqual(["heartbeat not written", "heartbeat not written"]);
  });
});
