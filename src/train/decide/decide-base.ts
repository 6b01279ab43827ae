import type { Change } from "../../domain/change.ts";
import { NOT_HALTED } from "../../domain/train.ts";
import type { Train } from "../../domain/train.ts";
import type { TrainAction } from "../queue/action.ts";
import type { BaseTip, TrainSnapshot } from "../queue/snapshot.ts";

/**
 * Verifies the base itself before anything is put on top of it. If it is red, the train halts and nobody is blamed, until the base has
 * moved to something green. The result is undefined when the base is as it should be.
 */
export function decideBase(
  train: Train,
  tip: BaseTip,
  snapshot: TrainSnapshot,
): readonly TrainAction[] | undefined {
  const verdict = snapshot.policy.baseline ? tip.verdict : "green";
  switch (verdict) {
    case "unknown":
      return [{ kind: "verify-base", tip }];
    case "red":
      return train.haltedAt === tip.commit && train.state === "halted"
        ? []
        : [{ kind: "record", changes: [halted(train, tip, snapshot)] }];
    case "green":
      return train.state === "halted"
        ? [{ kind: "record", changes: [resumed(train, tip, snapshot)] }]
        : undefined;
  }
}

function halted(train: Train, { commit, red }: BaseTip, { now, base }: TrainSnapshot): Change {
  return {
    kind: "train-moved",
    train: train.id,
    from: train.state,
    to: "halted",
    at: now,
    reason: `${base} itself fails at ${commit.slice(0, 7)}`,
    set: {
      cause: "red-base",
      haltedAt: commit,
      tail: red?.tail ?? null,
      logPath: red?.logPath ?? null,
      by: null,
    },
  };
}

function resumed(train: Train, { commit }: BaseTip, { now, base }: TrainSnapshot): Change {
  return {
    kind: "train-moved",
    train: train.id,
    from: train.state,
    to: "running",
    at: now,
    reason: `${base} is green again at ${commit.slice(0, 7)}`,
    set: { ...NOT_HALTED, ...(commit !== train.haltedAt && { haltedAt: null }), by: null },
  };
}
