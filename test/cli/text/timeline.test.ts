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

  it("keeps tasks apart that are too short to name", () => {
    const bars = [...Array(8).keys()].map((at) => bar("s", `t${at}`, [at / 10, (at + 1) / 10]));
    const [line] = renderTimeline([...bars, bar("t", "long", [0, 60])], 40).split("\n");
    expect(line).toBe("s ▪▪▪▪▪▪▪▪");
  });

  it("draws nothing when there is nothing", () => {
    expect(renderTimeline([], 80)).toBe("");
  });
});
