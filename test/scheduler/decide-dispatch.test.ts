import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { FinishedRun } from "../../src/ports/store.ts";
import { expectedDurations } from "../../src/scheduler/decide-dispatch.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aRun, aSpec, aTask } from "../support/builders.ts";
import { someLimits } from "../support/pool.ts";

const MINUTE = 60_000;
const limits = someLimits({ runners: {}, defaultRunner: "shell" });

function past(minutes: number, members: Partial<FinishedRun> = {}): FinishedRun {
  const finishedAt = instant(NOW + minutes * MINUTE);
  return { ...aRun({ startedAt: NOW, finishedAt }), size: undefined, ...members };
}

function durations(history: readonly FinishedRun[], runner?: string) {
  const context = { repo: REPO, base: "main", config: aConfig({ runner }) };
  return expectedDurations({ history, context, limits });
}

describe("expectedDurations", () => {
  it("assumes 4:13 while nothing was run, longer for larger tasks", () => {
    const of = durations([]);
    expect(of(aTask())).toBe(253_000);
    expect(of(aTask({ spec: aSpec({ size: "xl" }) }))).toBeGreaterThan(2 * 253_000);
  });

  it("comes near what runs took", () => {
    const of = durations(Array.from({ length: 40 }, () => past(20)));
    expect(of(aTask()) / MINUTE).toBeCloseTo(20, 0);
  });

  it("tells runners apart, and counts a task without one to the usual runner", () => {
    const history = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? past(2, { runner: "quick" }) : past(30, { runner: "slow" }),
    );
    const of = durations(history, "quick");
    const slow = of(aTask({ spec: aSpec({ runner: "slow" }) }));
    expect(slow).toBeGreaterThan(3 * of(aTask()));
    expect(durations(history, "slow")(aTask())).toBe(slow);
  });

  it("tells sizes apart", () => {
    const history = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? past(2, { size: "s" }) : past(60, { size: "l" }),
    );
    const of = durations(history);
    const large = of(aTask({ spec: aSpec({ size: "l" }) }));
    expect(large).toBeGreaterThan(6 * of(aTask({ spec: aSpec({ size: "s" }) })));
  });

  it("looks past runs that have no times", () => {
    expect(durations([past(90, { startedAt: undefined })])(aTask())).toBe(253_000);
  });
});
