import { batchesOf, chainFrom, entryName } from "../../domain/entry.ts";
import type { Batch, Entry } from "../../domain/entry.ts";
import type { Train } from "../../domain/train.ts";
import type { TrainAction } from "../queue/action.ts";
import { OUT_OF_BATCH, entryMoved } from "../queue/entry-changes.ts";
import type { BaseTip, TrainSnapshot } from "../queue/snapshot.ts";
import { decideBase } from "./decide-base.ts";
import { decideVerdict } from "./decide-verdict.ts";
import { nextBatch } from "./next-batch.ts";
import { isDue } from "./pauses.ts";

interface Situation {
  readonly kept: readonly Entry[];
  readonly train: Train;
  readonly tip: BaseTip;
  readonly snapshot: TrainSnapshot;
}

/** First resolves a landing under way, then sends back every batch that does not stand on the base, then goes on with the first. */
export function decideAdvance(
  kept: readonly Entry[],
  train: Train,
  snapshot: TrainSnapshot,
): readonly TrainAction[] {
  const { tip } = snapshot;
  if (tip === undefined) return [];
  const batches = batchesOf(kept);
  const landing = batches.find(({ entries }) => entries.some(({ state }) => state === "landing"));
  if (landing !== undefined) return [{ kind: "resolve-landing", batch: landing }];
  const { chain, void: fallen } = chainFrom(tip.commit, batches);
  const situation = { kept, train, tip, snapshot };
  // Entries that go back take their place in the order first: otherwise an entry that depends on them could pass them.
  if (fallen.length > 0) return fallen.flatMap((batch) => decideVoid(batch, situation));
  return [
    ...(train.state === "running"
      ? [...decideChain(chain, situation), ...decideNext(chain, situation)]
      : decideStanding(chain, situation)),
  ];
}

/** GitHub's own queue verifies and lands. Our train hands entries over in order, answers the queue's checks and follows the result. */
export function decideNativeQueue(
  kept: readonly Entry[],
  train: Train,
  { now }: TrainSnapshot,
): readonly TrainAction[] {
  const inQueue = kept.filter(({ state }) => state === "verifying");
  const follow: readonly TrainAction[] =
    inQueue.length === 0 ? [] : [{ kind: "follow-native-queue", entries: inQueue }];
  const queued = kept.filter((entry) => entry.state === "queued" && isDue(entry, now));
  if (train.state !== "running") return follow;
  const inOrder = queued.toSorted((a, b) => a.enqueuedAt - b.enqueuedAt);
  return [...inOrder.map((entry) => ({ kind: "enqueue-natively", entry }) as const), ...follow];
}

/** Sends a batch back to the queue: its evidence counts only for one base and one list of entries. */
function decideVoid(batch: Batch, { snapshot, tip }: Situation): readonly TrainAction[] {
  const { now, base } = snapshot;
  const moved = batch.candidate.base !== tip.commit;
  const reason = moved
    ? `${base} is not what it was to be verified on`
    : "its batch is not the same any more";
  const changes = batch.entries.map((entry) =>
    entryMoved(entry, "queued", { reason, at: now, set: OUT_OF_BATCH }),
  );
  return [
    { kind: "record", changes },
    { kind: "stop-verification", commit: batch.candidate.commit },
  ];
}

function decideChain(chain: readonly Batch[], situation: Situation): readonly TrainAction[] {
  return chain.flatMap((batch, at): readonly TrainAction[] => {
    const state = batch.entries[0]?.state;
    if (state === "verifying") return decideVerifying(batch, at, situation);
    return state === "verified" && at === 0 ? decideVerified(batch, situation) : [];
  });
}

/** Only the batch that stands on the base itself is judged: one further back may fail because of what is ahead of it. */
function decideVerifying(
  batch: Batch,
  at: number,
  { train, snapshot }: Situation,
): readonly TrainAction[] {
  const verdicts = snapshot.verdicts.get(batch.candidate.tree) ?? [];
  if (at > 0) return verdicts.length > 0 ? [] : [{ kind: "verify", batch }];
  const changes = decideVerdict({ batch, train, verdicts, snapshot });
  return changes === undefined ? [{ kind: "verify", batch }] : [{ kind: "record", changes }];
}

function decideVerified(batch: Batch, { snapshot }: Situation): readonly TrainAction[] {
  const [first] = batch.entries;
  if (first === undefined || !isProven(batch)) return [];
  // Approval and head are read again after verification: it may have taken an hour.
  return snapshot.reading.readAt > first.changedAt
    ? [{ kind: "land", batch }]
    : [{ kind: "read-again", reason: `${entryName(first)} is verified` }];
}

/** The evidence must be green and for exactly this commit: without it nothing lands. */
function isProven({ entries, candidate }: Batch): boolean {
  return entries.every(
    ({ evidence }) =>
      evidence?.verdict === "green" &&
      evidence.candidate.commit === candidate.commit &&
      evidence.candidate.base === candidate.base,
  );
}

function decideNext(chain: readonly Batch[], situation: Situation): readonly TrainAction[] {
  const { kept, train, tip, snapshot } = situation;
  const room = chain.length < (train.suspects.length > 0 ? 1 : snapshot.policy.window);
  const entries = room ? nextBatch(kept, train, snapshot) : [];
  if (entries.length === 0) return [];
  const last = chain.at(-1);
  if (last !== undefined) {
    return [{ kind: "build", entries, onto: last.candidate.commit, first: false }];
  }
  const held = decideBase(train, tip, snapshot);
  return held ?? [{ kind: "build", entries, onto: tip.commit, first: true }];
}

/** In a paused or halted train, work under way may end and nothing starts. */
function decideStanding(chain: readonly Batch[], situation: Situation): readonly TrainAction[] {
  const { kept, train, tip, snapshot } = situation;
  return [
    ...decideChain(chain, situation).filter(({ kind }) => kind === "verify" || kind === "record"),
    ...(train.cause === "red-base" && kept.length > 0
      ? (decideBase(train, tip, snapshot) ?? [])
      : []),
  ];
}
