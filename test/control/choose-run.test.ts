import { describe, expect, it } from "vitest";
import { chooseRun, readRunWish } from "../../src/control/choose-run.ts";
import { instant, runId } from "../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../src/domain/run.ts";
import { NOW, aRun, shaOf } from "../support/builders.ts";

const FAILED: RunOutcome = { kind: "failed", exitCode: 1, tail: "" };

let count = 0;

function aTry(contender: number, outcome: RunOutcome | undefined, attempt = 1): Run {
  count += 1;
  const state = outcome === undefined ? "running" : "finished";
  const queuedAt = instant(NOW + count);
  return aRun({ id: runId(`run-${count}`), attempt, contender, state, outcome, queuedAt });
}

function scored(score: number): RunOutcome {
  return { kind: "succeeded", head: shaOf(7), files: [], outside: [], notes: "", score };
}

function chosen(runs: readonly Run[], query = ""): Run | undefined {
  const wish = readRunWish(new URLSearchParams(query));
  const run = wish.ok ? chooseRun(runs, wish.value, "octo/app#1") : wish;
  if (!run.ok) throw new Error(run.error);
  return run.value;
}

describe("the run that is meant", () => {
  const [opening, failed, low, high] = [
    aTry(0, { kind: "no-changes", notes: "" }),
    aTry(1, FAILED),
    aTry(2, scored(1)),
    aTry(3, scored(2)),
  ];
  const atWork = aTry(4, undefined);

  it.each([
    ["none of a task without runs", [], undefined],
    ["the one that opens an exploration, as long as there is no other", [opening], opening],
    ["one at work, of several evaluations", [opening, high, atWork, low], atWork],
    ["the best, once all have ended", [opening, failed, low, high], high],
    ["one that was tried, where none succeeded", [opening, failed], failed],
  ])("is %s", (_, runs, meant) => {
    expect(chosen(runs)).toBe(meant);
  });

  it("is of the latest attempt, or of the one that is asked for", () => {
    const later = aTry(1, FAILED, 2);
    expect(chosen([low, high, later])).toBe(later);
    expect(chosen([low, high, later], "attempt=1")).toBe(high);
    expect(() => chosen([low, later], "attempt=3")).toThrow("it had 1, 2");
  });

  it("is the last one of runs that are equally good", () => {
    const again = aTry(1, FAILED);
    expect(chosen([failed, again])).toBe(again);
  });

  it("is the one that is named, whatever its number", () => {
    expect(chosen([low, high, atWork], `run=${low.id}`)).toBe(low);
    expect(() => chosen([low], "run=other")).toThrow('has no run "other"');
  });
});
