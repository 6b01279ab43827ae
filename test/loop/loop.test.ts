import { beforeEach, describe, expect, it } from "vitest";
import type { RepoName } from "../../src/domain/ids.ts";
import { Loop } from "../../src/loop/loop.ts";
import type { LoopOptions } from "../../src/loop/loop.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { OTHER_REPO, REPO } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

let clock: TestClock;
let log: TestLog;
let ticks: RepoName[];
let script: (repo: RepoName) => Promise<number | undefined>;
let loop: Loop;
let notices: readonly string[];

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  ticks = [];
  notices = [];
  script = () => Promise.resolve(undefined);
  loop = loopOf({
    look: (repo) => {
      ticks.push(repo);
      return script(repo);
    },
  });
});

function loopOf(lanes: LoopOptions["ticks"]): Loop {
  const troubled = (_: RepoName, lines: readonly string[]): void => {
    notices = lines;
  };
  return new Loop({ clock, log, reconcileEveryMs: 60_000, ticks: lanes, troubled });
}

describe("Loop", () => {
  it("ticks a repository when it is watched, and once however often that is said", async () => {
    loop.watch(REPO);
    loop.watch(REPO);
    await loop.idle();
    expect(ticks).toEqual([REPO]);
    expect(loop.watched()).toEqual([REPO]);
  });

  it("lets no repository hold up another", async () => {
    const { promise, resolve } = deferred<undefined>();
    script = (repo) => (repo === REPO ? promise : Promise.resolve(undefined));
    loop.watch(REPO);
    loop.watch(OTHER_REPO);
    await clock.settle();
    loop.wake(OTHER_REPO, "we-changed");
    await clock.settle();
    expect(ticks).toEqual([REPO, OTHER_REPO, OTHER_REPO]);
    resolve(undefined);
    await loop.idle();
  });

  it("lets no lane of a repository hold up another", async () => {
    const { promise, resolve } = deferred<undefined>();
    const starts: RepoName[] = [];
    const start = (repo: RepoName): Promise<undefined> => {
      starts.push(repo);
      return Promise.resolve(undefined);
    };
    const lanes = loopOf({ look: () => promise, start });
    lanes.watch(REPO);
    await clock.settle();
    lanes.wake(REPO, "we-changed");
    await clock.settle();
    lanes.wakeLane(REPO, "start");
    await clock.settle();
    expect(starts).toEqual([REPO, REPO, REPO]);
    expect(lanes.busy).toBe(true);
    resolve(undefined);
    await lanes.idle();
  });

  it("leaves it to the look whether news from GitHub concern the others; what we changed concerns all", async () => {
    const woken: string[] = [];
    const tick = (name: string) => (): Promise<undefined> => {
      woken.push(name);
      return Promise.resolve(undefined);
    };
    const lanes = loopOf({ look: tick("look"), start: tick("start"), land: tick("land") });
    lanes.watch(REPO);
    await lanes.idle();
    woken.length = 0;
    lanes.wake(REPO, "github-changed");
    await lanes.idle();
    expect(woken).toEqual(["look"]);
    lanes.wake(REPO, "we-changed");
    await lanes.idle();
    expect(woken).toEqual(["look", "look", "start", "land"]);
  });

  it("ignores a wake-up for a repository that is not watched", async () => {
    loop.wake(REPO, "github-changed");
    await loop.idle();
    expect(ticks).toEqual([]);
  });

  it("has not come to rest while a tick is due in a moment", async () => {
    let again: number | undefined = clock.now() + 200;
    script = () => Promise.resolve(again);
    loop.watch(REPO);
    await clock.settle();
    let rested = false;
    const idle = loop.idle().then(() => (rested = true));
    await clock.settle();
    expect(rested).toBe(false);
    again = clock.now() + 60_000;
    await clock.advance(200);
    await idle;
    expect(ticks).toEqual([REPO, REPO]);
  });

  it("waits for the tick under way when it stops, and ticks no more", async () => {
    const { promise, resolve } = deferred<undefined>();
    script = () => promise;
    loop.watch(REPO);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await clock.settle();
    expect(stopped).toBe(false);
    resolve(undefined);
    await stopping;
    loop.wake(REPO, "github-changed");
    await clock.advance(600_000);
    expect(ticks).toEqual([REPO]);
  });

  it("waits also for the tick of a repository that is no longer watched", async () => {
    const { promise, resolve } = deferred<undefined>();
    script = () => promise;
    loop.watch(REPO);
    loop.unwatch(REPO);
    expect(loop.watched()).toEqual([]);
    expect(loop.busy).toBe(true);
    resolve(undefined);
    await loop.idle();
    expect(loop.busy).toBe(false);
  });

  it("never ticks a repository twice at once, also when it is removed and added again", async () => {
    const { promise, resolve } = deferred<undefined>();
    script = () => promise;
    loop.watch(REPO);
    loop.unwatch(REPO);
    loop.watch(REPO);
    await clock.settle();
    expect(ticks).toHaveLength(1);
    resolve(undefined);
    await loop.idle();
    expect(ticks).toHaveLength(2);
    expect(loop.watched()).toEqual([REPO]);
  });
});

describe("what the loop logs", () => {
  const unreadable = () => Promise.reject(new AppError("board-unreadable", "no board"));

  it("is a line every ten minutes for a failure that lasts, and one for its end", async () => {
    script = unreadable;
    loop.watch(REPO);
    await clock.advance(590_000);
    expect(log.seen).toEqual(["tick failed"]);
    await clock.advance(3_000_000);
    expect(ticks.length).toBeGreaterThan(50);
    expect(log.seen).toEqual(Array.from({ length: 6 }, () => "tick failed"));
    expect(log.lines.findLast(({ level }) => level === "error")?.fields).toMatchObject({
      times: expect.any(Number) as number,
    });
    script = () => Promise.resolve(undefined);
    await clock.advance(60_000);
    expect(log.seen.at(-1)).toBe("tick recovered");
  });

  it("is a notice for what fails alike again, for as long as it lasts", async () => {
    script = unreadable;
    loop.watch(REPO);
    await clock.settle();
    expect(notices).toEqual([]);
    await clock.advance(60_000);
    const words = "looking at GitHub fails again and again: no board; the log says more";
    expect(notices).toEqual([words]);
    script = () => Promise.resolve(undefined);
    await clock.advance(60_000);
    expect(notices).toEqual([]);
  });

  it("is a line for each failure of another kind", async () => {
    script = unreadable;
    loop.watch(REPO);
    await clock.settle();
    script = () => Promise.reject(new Error("something else"));
    await clock.advance(2000);
    expect(log.seen).toEqual(["tick failed", "tick failed"]);
  });

  it("is nothing while all goes well", async () => {
    loop.watch(REPO);
    await clock.advance(600_000);
    expect(log.seen).toEqual([]);
  });
});
