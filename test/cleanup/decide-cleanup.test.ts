import { describe, expect, it } from "vitest";
import { decideCleanup, type CleanupSnapshot } from "../../src/cleanup/decide-cleanup.ts";
import { instant, repoName, type RepoName } from "../../src/domain/ids.ts";
import type { Leftover } from "../../src/ports/leftovers.ts";

const DAY = 86_400_000;
const NOW = 1000 * DAY;
const SHOP = repoName("octo/shop");
const OLD = repoName("octo/old");

/** Last used so many days ago. */
const ago = (days: number): { at: ReturnType<typeof instant> } => ({
  at: instant(NOW - days * DAY),
});
const of = (
  kind: "spare" | "setup" | "rescue" | "evaluation",
  name: string,
  days: number,
): Leftover => ({
  kind,
  repo: SHOP,
  name,
  ...ago(days),
});
const mirror = (repo: RepoName, days: number, counts = { loose: 0, packs: 1 }): Leftover => ({
  kind: "mirror",
  repo,
  ...counts,
  ...ago(days),
});
const workspace = (name: string, days: number, open = false): Leftover => ({
  kind: "workspace",
  repo: SHOP,
  name,
  open,
  ...ago(days),
});
const file = (
  kind: "log" | "home" | "run-folder" | "tmp" | "trash",
  name: string,
  days: number,
): Leftover => ({ kind, name, ...ago(days) });

function removed(leftovers: readonly Leftover[], some: Partial<CleanupSnapshot> = {}): unknown[] {
  return decide(leftovers, some).flatMap((command) =>
    command.kind === "remove" ? [[command.leftover, command.reason]] : [],
  );
}

function decide(leftovers: readonly Leftover[], some: Partial<CleanupSnapshot> = {}) {
  return decideCleanup({
    now: instant(NOW),
    leftovers,
    watched: new Set([SHOP]),
    unfinished: new Set(["octo.shop.7.1"]),
    openTasks: ["octo/shop#7", "octo.shop.7"],
    idle: true,
    short: false,
    policy: {
      spares: 2,
      keepSetupsFor: 14 * DAY,
      keepLogsFor: 30 * DAY,
      keepRescuesFor: 30 * DAY,
      keepMirrorsFor: 30 * DAY,
    },
    ...some,
  });
}

describe("what stays", () => {
  it.each<[string, Leftover]>([
    ["a workspace in use by this process", workspace("verify-7-abc", 100, true)],
    ["a workspace of a run that has not ended", workspace("octo.shop.7.1", 100)],
    ["a workspace that was just opened", workspace("octo.shop.9.1", 0)],
    ["rescued work of an open task, however old", of("rescue", "octo.shop.7.1", 400)],
    ["rescued work that is young, landed or not", of("rescue", "octo.shop.9.1", 29)],
    ["an evaluation of an open task, however old", of("evaluation", "octo.shop.7.1.c3", 400)],
    ["an evaluation that is young, taken or not", of("evaluation", "octo.shop.9.1.c3", 29)],
    ["what setup made and somebody used lately", of("setup", "key", 13)],
    ["the log of a run that has not ended", file("log", "octo.shop.7.1.log", 100)],
    ["a log that is young", file("log", "octo.shop.9.1.log", 29)],
    ["the HOME of an open task", file("home", "octo/shop#7", 100)],
    ["the HOME of a task that was given up today", file("home", "octo/shop#9", 0.5)],
    [
      "the folder of a step of a run that has not ended",
      file("run-folder", "octo.shop.7.1/agent", 100),
    ],
    ["the temporary folder of a run that has not ended", file("tmp", "octo.shop.7.1", 100)],
    ["what is laid out for such a run", file("tmp", "octo.shop.7.1.input", 100)],
    ["what is just being thrown away", file("trash", "closed-x", 0)],
    ["the mirror of a repository that is watched", mirror(SHOP, 100)],
    ["a mirror that was used lately", mirror(OLD, 29)],
  ])("%s", (_what, leftover) => {
    expect(decide([leftover])).toEqual([]);
  });

  it("a mirror with rescued work, an evaluation, or a spare that borrows its objects", () => {
    const needs = [
      of("rescue", "octo.old.7.1", 1),
      of("evaluation", "octo.old.7.1.c1", 1),
      of("spare", "s", 1),
    ];
    for (const need of needs)
      expect(decide([mirror(OLD, 100), { ...need, repo: OLD } as Leftover])).toEqual([]);
  });

  it("whose name only begins like an open task's", () => {
    expect(removed([of("rescue", "octo.shop.77.1", 31)])).toHaveLength(1);
    expect(removed([file("home", "octo/shop#77", 2)])).toHaveLength(1);
  });
});

describe("what goes", () => {
  it.each<[string, Leftover, string]>([
    ["a workspace that nobody closed", workspace("octo.shop.9.1", 1), "its run has ended"],
    [
      "rescued work of a closed task",
      of("rescue", "octo.shop.9.1", 30),
      "its time is over and its task is closed",
    ],
    [
      "an evaluation of a closed task",
      of("evaluation", "octo.shop.9.1.c3", 30),
      "its time is over and its task is closed",
    ],
    ["what setup made long ago", of("setup", "key", 14), "it was not used for long"],
    ["an old log", file("log", "octo.shop.9.1.log", 30), "its time is over"],
    ["the HOME of a closed task", file("home", "octo/shop#9", 2), "its task is closed"],
    ["the folder of a step", file("run-folder", "octo.shop.9.1/agent", 1), "its run has ended"],
    ["a temporary folder", file("tmp", "octo.shop.9.1", 1), "its run has ended"],
    ["what a crash left half deleted", file("trash", "closed-x", 1), "it was thrown away"],
    [
      "the mirror of a repository that nobody watches",
      mirror(OLD, 30),
      "nobody watches its repository",
    ],
    ["a spare that nobody wanted for long", of("spare", "s", 30), "it was not used for long"],
  ])("%s", (_what, leftover, reason) => {
    expect(removed([leftover])).toEqual([[leftover, reason]]);
  });

  it("the oldest spares of a repository when there are more than wanted", () => {
    const [a, b, c] = [of("spare", "a", 3), of("spare", "b", 1), of("spare", "c", 2)];
    const other = { ...of("spare", "d", 9), repo: OLD } as Leftover;
    expect(removed([a, b, c, other])).toEqual([[a, "there are enough others"]]);
  });

  it("spares and what setup made, never work, when the disk is nearly full", () => {
    const [spare, setup] = [of("spare", "a", 0), of("setup", "key", 1)];
    const work = [of("rescue", "octo.shop.9.1", 29), workspace("octo.shop.7.1", 9)];
    expect(removed([spare, setup, ...work], { short: true })).toEqual([
      [spare, "the disk is nearly full"],
      [setup, "the disk is nearly full"],
    ]);
  });
});

describe("a mirror", () => {
  const many = { loose: 9000, packs: 99 };
  it.each([
    { what: "with many loose objects", counts: { loose: 2001, packs: 1 }, idle: true, times: 1 },
    { what: "with many packs", counts: { loose: 0, packs: 21 }, idle: true, times: 1 },
    { what: "with few of both", counts: { loose: 2000, packs: 20 }, idle: true, times: 0 },
    { what: "while a run is under way", counts: many, idle: false, times: 0 },
  ])("$what is compacted $times times", ({ counts, idle, times }) => {
    const commands = decide([mirror(SHOP, 0, counts)], { idle });
    expect(commands.filter(({ kind }) => kind === "compact")).toHaveLength(times);
  });
});
