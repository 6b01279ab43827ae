import { beforeEach, describe, expect, it } from "vitest";
import { newMemory } from "../../src/app/lane-memory.ts";
import { createLook } from "../../src/app/look.ts";
import type { Settings } from "../../src/app/settings.ts";
import type { RepoReading } from "../../src/domain/board.ts";
import type { Tick } from "../../src/loop/loop.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aMemory, aPull, aReading } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig({ objectives: { enabled: false } }) };

let clock: TestClock;
let woken: string[];
let reading: RepoReading;
let look: Tick;

beforeEach(() => {
  clock = new TestClock();
  woken = [];
  reading = aReading();
  const [memory, stored] = [newMemory(), aMemory()];
  const github = { readRepo: () => Promise.resolve(reading), isUnchanged: () => false };
  const store = {
    readRepo: () => Promise.resolve(stored),
    unseenSignals: () => Promise.resolve([]),
    pendingCommands: () => Promise.resolve([]),
  };
  const git = { listDirectories: () => Promise.resolve(new Set()) };
  const deps = { clock, github, store, git, notices: { set: () => undefined } };
  const settings = { contextOf: () => Promise.resolve(CONTEXT) } as unknown as Settings;
  const wakeLane = (_repo: string, lane: string): number => woken.push(lane);
  look = createLook({ settings, memoryOf: () => memory, wakeLane }, deps as unknown as Deps);
});

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
