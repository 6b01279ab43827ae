import { beforeEach, describe, expect, it } from "vitest";
import { createTicks } from "../../src/app/ticks.ts";
import type { RepoReading } from "../../src/domain/board.ts";
import type { Tick } from "../../src/loop/lane.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aMemory, aPull, aReading } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig({ objectives: { enabled: false } }) };

let clock: TestClock;
let woken: string[];
let reading: RepoReading;
let look: Tick;

beforeEach(() => {
  clock = new TestClock();
  woken = [];
  reading = aReading();
  const stored = aMemory();
  const github = { readRepo: () => Promise.resolve(reading), isUnchanged: () => false };
  const store = {
    readRepo: () => Promise.resolve(stored),
    unseenSignals: () => Promise.resolve([]),
    pendingCommands: () => Promise.resolve([]),
  };
  const git = { listDirectories: () => Promise.resolve(new Set()) };
  const notices = { set: () => undefined };
  const deps = { clock, github, store, git, notices, log: new TestLog(), operator: { store: {} } };
  const settings = { contextOf: () => Promise.resolve(CONTEXT) };
  const wakeLane = (_repo: string, lane: string): number => woken.push(lane);
  const { ticks } = createTicks({ settings, wakeLane }, deps as unknown as Deps);
  look = ticks.look ?? fail;
});

const fail = (): never => {
  throw new Error("there is no lane that looks");
};

describe("the look", () => {
  it("wakes the other lanes when there is something new on GitHub, and only then", async () => {
    await look(REPO, "github-changed");
    expect(woken).toEqual(["start", "land", "report"]);
    await clock.advance(60_000);
    await look(REPO, "we-changed");
    expect(woken).toHaveLength(3);
    reading = aReading({ pulls: [aPull({ review: "approved" })] });
    await look(REPO, "github-changed");
    expect(woken.slice(3)).toEqual(expect.arrayContaining(["start", "land", "report"]));
  });
});
