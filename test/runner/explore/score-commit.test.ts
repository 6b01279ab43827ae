import { describe, expect, it } from "vitest";
import { scoreIn } from "../../../src/runner/explore/score-commit.ts";

describe("scoreIn", () => {
  it.each([
    ["7\nwavetrain: score\nnoise\n42\n", 42],
    ["wavetrain: score\n-1.5e3", -1500],
    ["wavetrain: score\n42\nwavetrain: network: refused a.example:443: is not named\n", 42],
    ["7\nwavetrain: score\nwavetrain: network: refused a.example:443: is not named\n", undefined],
    ["wavetrain: score\n42 points\n", undefined],
    ["wavetrain: score\n", undefined],
  ])("finds in %j the score %s", (log, score) => {
    expect(scoreIn(log)).toBe(score);
  });
});
