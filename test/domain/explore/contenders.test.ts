import { describe, expect, it } from "vitest";
import { leadingRun, decidePromotion } from "../../../src/domain/explore/contenders.ts";
import { runId } from "../../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../../src/domain/run.ts";
import { SUCCEEDED, aRun } from "../../support/builders.ts";

const FAILED: RunOutcome = { kind: "failed", exitCode: 1, tail: "" };
const LOST: RunOutcome = { kind: "lost", reason: "stopped", interrupted: true };

function candidate(number: number, outcome: RunOutcome = SUCCEEDED): Run {
  const id = runId(`run.c${number}`);
  return aRun({ id, contender: number, state: "finished", outcome });
}

function scored(number: number, score: number | undefined, files = ["a"]): Run {
  const outcome = { ...SUCCEEDED, files, ...(score === undefined ? {} : { score }) };
  return candidate(number, outcome);
}

function lower(number: number, score: number): Run {
  return candidate(number, { ...SUCCEEDED, score, merit: -score });
}

describe("decidePromotion", () => {
  it.each<[string, readonly Run[], number]>([
    ["one that succeeded before one that failed", [candidate(1, FAILED), candidate(2)], 2],
    ["the higher score", [scored(1, 3), scored(2, 7), scored(3, -1)], 2],
    ["any score before none", [scored(1, undefined), scored(2, -5)], 2],
    ["the better merit where a lower score is better", [lower(1, 3), lower(2, 1)], 2],
    [
      "an evaluation before the run that opened the exploration",
      [candidate(0), candidate(1, FAILED)],
      1,
    ],
    ["fewer files with the same score", [scored(1, 3, ["a", "b"]), scored(2, 3)], 2],
    ["the lower number when all else is equal", [scored(2, 3), scored(1, 3)], 1],
    ["a failure before an interruption", [candidate(1, LOST), candidate(2, FAILED)], 2],
  ])("takes %s, in whatever order they come", (_, runs, winner) => {
    expect(decidePromotion(runs)?.contender).toBe(winner);
    expect(decidePromotion(runs.toReversed())?.contender).toBe(winner);
  });

  it("takes none that has not ended", () => {
    expect(decidePromotion([aRun({ state: "running" })])).toBeUndefined();
  });
});

describe("leadingRun", () => {
  it("is the promoted one of the last attempt", () => {
    const first = { ...candidate(1), attempt: 1, id: runId("old") };
    const runs = [first, scored(1, 2), scored(2, 5), scored(3, 1)].map((run, at) =>
      at === 0 ? run : { ...run, attempt: 2 },
    );
    expect(leadingRun(first.task, runs)).toMatchObject({ attempt: 2, contender: 2 });
  });
});
