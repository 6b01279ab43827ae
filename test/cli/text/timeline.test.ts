import { describe, expect, it } from "vitest";
import { renderTimeline } from "../../../src/cli/text/timeline.ts";

const MINUTE = 60_000;
const bar = (lane: string, label: string, [from, to]: readonly [number, number]) => ({
  lane,
  label,
  startMs: from * MINUTE,
  endMs: to * MINUTE,
});

describe("renderTimeline", () => {
  it("draws lanes over one axis", () => {
    const bars = [
      bar("slot 1", "session", [0, 10]),
      bar("slot 2", "search", [0, 4]),
      bar("slot 2", "docs", [5, 8]),
    ];
    expect(`\n${renderTimeline(bars, 47)}\n`).toBe(`
slot 1 ├session───────────────────────────────┤
slot 2 ├search────────┤    ├docs──────┤
       0:00                5:00                10:00
`);
  });

  it("stays within the width when there are more tasks than columns", () => {
    const bars = Array.from({ length: 300 }, (_, at) => bar("s", `t${at}`, [at, at + 1]));
    const [line] = renderTimeline(bars, 42).split("\n");
    expect(line).toBe(`s ${"▪".repeat(40)}`);
  });

  it("shows a task that is too short to name", () => {
    const bars = [bar("s", "short", [0, 0.1]), bar("s", "next", [1, 2]), bar("t", "long", [0, 60])];
    const [line] = renderTimeline(bars, 42).split("\n");
    expect(line).toBe("s ▪▪");
  });

  it("draws nothing when there is nothing", () => {
    expect(renderTimeline([], 80)).toBe("");
  });
});
