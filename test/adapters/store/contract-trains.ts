import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/domain/change.ts";
import type { Instant } from "../../../src/domain/ids.ts";
import { newTrain } from "../../../src/domain/train.ts";
import type { TrainState } from "../../../src/domain/train.ts";
import { NOW, REPO } from "../../support/builders.ts";
import { later } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";

type TrainMoved = Extract<Change, { kind: "train-moved" }>;

const TRAIN = newTrain(REPO, "main", NOW);

function move(from: TrainState, to: TrainState, at: Instant): TrainMoved {
  return { kind: "train-moved", train: TRAIN.id, from, to, reason: "", at, set: {} };
}

export function describeTrains(use: UnderTest): void {
  describe("trains", () => {
    it("refuses a move of one that changed since it was read, although it is as it was", async () => {
      const record = (...changes: readonly Change[]): Promise<void> =>
        use.store().record(REPO, changes);
      await record({ kind: "train-added", train: TRAIN });
      await record(move("running", "paused", later(1)));
      await record(move("paused", "running", later(2)), move("running", "paused", later(3)));
      const late = { ...move("paused", "running", later(4)), unchangedSince: later(1) };
      await expect(record(late)).rejects.toMatchObject({ code: "store-conflict" });
      await record({ ...late, unchangedSince: later(3) });
      expect((await use.store().readRepo(REPO)).trains[0]?.state).toBe("running");
    });
  });
}
