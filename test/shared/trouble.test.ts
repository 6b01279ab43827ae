import { describe, expect, it } from "vitest";
import { Trouble } from "../../src/shared/trouble.ts";

const MINUTE_MS = 60_000;

describe("Trouble", () => {
  it("is worth a line when it begins and whenever its words change", () => {
    const trouble = new Trouble();
    const seen = ["down", "down", "up and down", "down"].map((words) =>
      trouble.meet(new Error(words), 0),
    );
    expect(seen.map(({ isWorthALine }) => isWorthALine)).toEqual([true, false, true, true]);
    expect(seen.map(({ times }) => times)).toEqual([1, 2, 1, 1]);
  });

  it("is said again every ten minutes, with how often it came", () => {
    const trouble = new Trouble();
    const seen = [0, 5, 9, 10, 15, 20].map((minutes) => trouble.meet("down", minutes * MINUTE_MS));
    const said = seen.filter(({ isWorthALine }) => isWorthALine);
    expect(said.map(({ times }) => times)).toEqual([1, 4, 6]);
  });

  it("ends once, and is new when it comes back", () => {
    const trouble = new Trouble();
    expect(trouble.end()).toBe(false);
    trouble.meet("down", 0);
    expect([trouble.end(), trouble.end()]).toEqual([true, false]);
    expect(trouble.meet("down", 1)).toEqual({ isWorthALine: true, times: 1 });
  });
});
