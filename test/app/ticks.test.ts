import { beforeEach, describe, expect, it } from "vitest";
import { createTicks } from "../../src/app/ticks.ts";
import type { RepoReading } from "../../src/domain/board.ts";
import type { Tick } from "../../src/loop/lane.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aMemory, aPull, aReading } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig({ objectives: { enabled: false } }) };
const OTHERS = ["start", "land", "report"];

let clock: TestClock;
let woken: string[];
let reading: RepoReading;
let log: TestLog;
/** What the store says when it is asked for commands. */
let pending: () => Promise<readonly never[]>;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  woken = [];
  reading = aReading();
  pending = () => Promise.resolve([]);
});

/** The lane that looks, on a store of its own or on one that others share. */
function aLook(store: { readonly url?: string } = {}): Tick {
  const lease = { name: "look", holder: "me", fence: 1, expiresAt: Infinity };
  const stored = aMemory();
  const deps = {
    clock,
    log,
    operator: { store },
    github: { readRepo: () => Promise.resolve(reading), isUnchanged: () => false },
    notices: { set: () => undefined },
    store: {
      readRepo: () => Promise.resolve(stored),
      unseenSignals: () => Promise.resolve([]),
      pendingCommands: () => pending(),
      acquireLease: () => Promise.resolve({ kind: "held", lease }),
      releaseLease: () => Promise.resolve(),
    },
  };
  const settings = { contextOf: () => Promise.resolve(CONTEXT) };
  const wakeLane = (_repo: string, lane: string): number => woken.push(lane);
  const { ticks } = createTicks({ settings, wakeLane }, deps as unknown as Deps);
  if (ticks.look === undefined) throw new Error("there is no lane that looks");
  return ticks.look;
}

describe("the look", () => {
  it("wakes the other lanes when there is something new on GitHub, and only then", async () => {
    const look = aLook();
    await look(REPO, "github-changed");
    expect(woken).toEqual(OTHERS);
    await clock.advance(60_000);
    await look(REPO, "we-changed");
    expect(woken).toHaveLength(3);
    reading = aReading({ pulls: [aPull({ review: "approved" })] });
    await look(REPO, "github-changed");
    expect(woken.slice(3)).toEqual(OTHERS);
  });

  it("wakes them every time where another server may have written", async () => {
    const look = aLook({ url: "postgres://db/wavetrain" });
    await look(REPO, "github-changed");
    await clock.advance(60_000);
    await look(REPO, "we-changed");
    expect(woken).toEqual([...OTHERS, ...OTHERS]);
  });

  it("wakes them when it fails, because what it wrote before is no news when it is repeated", async () => {
    const look = aLook();
    pending = () => Promise.reject(new AppError("store-conflict", "overtaken"));
    await expect(look(REPO, "github-changed")).rejects.toMatchObject({ code: "store-conflict" });
    expect(woken).toEqual(OTHERS);
  });

  it("reads the store once while nobody writes", async () => {
    const look = aLook();
    await look(REPO, "github-changed");
    await look(REPO, "we-changed");
    const reads = log.lines.map(({ message, fields }) => [message, fields]);
    expect(reads).toEqual([
      ["tick finished", { repo: REPO, lane: "look", reads: 1 }],
      ["tick finished", { repo: REPO, lane: "look", reads: 1 }],
    ]);
  });
});
