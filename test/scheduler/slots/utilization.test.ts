import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import { utilizationOf } from "../../../src/scheduler/slots/utilization.ts";

const window = {
  from: instant(100),
  now: instant(200),
  slots: new Map([
    ["a", 2],
    ["b", 1],
  ]),
};

function run(runner: string, from: number | undefined, to: number | undefined) {
  return {
    runner,
    startedAt: from === undefined ? undefined : instant(from),
    finishedAt: to === undefined ? undefined : instant(to),
  };
}

describe("utilizationOf", () => {
  it.each([
    ["nothing without runs", [], { a: 0, b: 0 }],
    ["a run within, of two slots", [run("a", 120, 170)], { a: 0.25, b: 0 }],
    ["of longer runs the part within", [run("a", 50, 150), run("b", 10, 900)], { a: 0.25, b: 1 }],
    ["a run under way", [run("b", 150, undefined)], { a: 0, b: 0.5 }],
    [
      "not what ended before or never started",
      [run("a", 1, 99), run("b", undefined, 150)],
      { a: 0, b: 0 },
    ],
    ["never more than all", [run("b", 100, 200), run("b", 100, 200)], { a: 0, b: 1 }],
  ])("counts %s", (_, runs, expected) => {
    expect(Object.fromEntries(utilizationOf(runs, window))).toEqual(expected);
  });
});
