import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { FinishingLoad } from "../../src/domain/run.ts";
import { finishingBan } from "../../src/scheduler/start-bans.ts";
import { NOW } from "../support/builders.ts";

const IDLE: FinishingLoad = { finishing: 0, publishing: 0, publishingSince: undefined };

function reasonFor(load: Partial<FinishingLoad>): string | undefined {
  return finishingBan({ now: NOW, places: 2, load: { ...IDLE, ...load } })?.reason;
}

describe("finishingHold", () => {
  it.each([
    { name: "nothing is to be finished", load: {} },
    { name: "four times the places are", load: { finishing: 8 } },
    {
      name: "many pull requests wait for a moment",
      load: { publishing: 30, publishingSince: instant(NOW - 60_000) },
    },
  ])("holds nothing back while $name", ({ load }) => {
    expect(reasonFor(load)).toBeUndefined();
  });

  it("holds starts back while more runs wait to be finished than there is room for", () => {
    expect(reasonFor({ finishing: 9 })).toBe(
      "waits: 9 runs are to be verified and pushed first, 2 at a time",
    );
  });

  it("holds starts back when a finished change has waited for its pull request for a minute", () => {
    expect(reasonFor({ publishing: 3, publishingSince: instant(NOW - 60_001) })).toBe(
      "waits: finished changes have no pull request yet, GitHub takes no more for now",
    );
  });
});
