import { describe, expect, it } from "vitest";
import { newTrain, wordStanding } from "../../../src/domain/train.ts";
import type { Train } from "../../../src/domain/train.ts";
import { underPause } from "../../../src/train/decide/decide-train-state.ts";
import { decide } from "../../../src/train/decide/decide.ts";
import { REPO, aPull, aReading } from "../../support/builders.ts";
import { EARLIER, aPolicy, aSnapshot, inBatch, inTrain, reviewed } from "../snapshot.ts";

const PAUSE = { by: "ann", reason: "release", since: EARLIER };
const ROW = newTrain(REPO, "main", EARLIER);
const QUEUED = { tasks: [reviewed({ state: "queued" })], reading: aReading({ pulls: [aPull()] }) };

function kindsOf(snapshot: Parameters<typeof aSnapshot>[0]): readonly string[] {
  return decide(aSnapshot({ ...QUEUED, ...snapshot })).actions.map(({ kind }) => kind);
}

function movesOf(snapshot: Parameters<typeof aSnapshot>[0]): readonly object[] {
  return decide(aSnapshot({ ...QUEUED, ...snapshot })).actions.flatMap((action) =>
    action.kind === "record" ? action.changes : [],
  );
}

describe("a train in a paused repository", () => {
  it("lands nothing that is verified, although its own row still says that it runs", () => {
    const entries = [inBatch({ state: "verified" })];
    expect(kindsOf({ entries })).toContain("land");
    expect(kindsOf({ entries, pause: PAUSE })).not.toContain("land");
  });

  it("hands nothing over to GitHub's own queue", () => {
    const policy = aPolicy({ landing: "merge-queue" });
    const entries = [inTrain()];
    expect(kindsOf({ entries, policy })).toContain("enqueue-natively");
    expect(kindsOf({ entries, policy, pause: PAUSE })).not.toContain("enqueue-natively");
  });

  it("tells what waits by whom, why, and what makes it go on", () => {
    expect(movesOf({ entries: [inTrain()], pause: PAUSE })).toMatchObject([
      { kind: "train-moved", from: "running", to: "paused", set: { by: "ann" } },
    ]);
    expect(wordStanding(underPause(ROW, PAUSE))).toBe(
      "the train of main is paused by ann: release; until someone says /resume",
    );
  });

  it("begins paused when it begins", () => {
    expect(movesOf({ entries: [inTrain()], train: undefined, pause: PAUSE })[0]).toMatchObject({
      kind: "train-added",
      train: { state: "paused", by: "ann" },
    });
  });

  it("goes on when the pause is over, whoever missed to tell it", () => {
    const train: Train = { ...ROW, state: "paused", by: "ann" };
    const entries = [inBatch({ state: "verified" })];
    expect(kindsOf({ entries, train })).toContain("land");
    // Somebody may have resumed and paused it again since it was read: that pause is not over.
    const unchangedSince = train.changedAt;
    expect(movesOf({ entries, train })[0]).toMatchObject({
      from: "paused",
      to: "running",
      unchangedSince,
    });
  });

  it("stays halted: a pause neither hides nor ends a halt", () => {
    const train: Train = { ...ROW, state: "halted", cause: "integrity-breach", reason: "breach" };
    expect(movesOf({ entries: [inTrain()], train, pause: PAUSE })).toEqual([]);
    expect(wordStanding(underPause(train, PAUSE))).toBe(
      "the train of main is halted: breach; look at it, then say /resume",
    );
  });
});
