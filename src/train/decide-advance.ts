import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import { entryName } from "../domain/entry.ts";
import type { Train } from "../domain/train.ts";
import { batchesOf, chainFrom } from "./batch.ts";
import type { Batch } from "./batch.ts";
import type { TrainCommand } from "./command.ts";
import { decideBase } from "./decide-base.ts";
import { decideVerdict } from "./decide-verdict.ts";
import { OUT_OF_BATCH, entryExplained, entryMoved } from "./entry-changes.ts";
import { nextBatch } from "./next-batch.ts";
import type { BaseTip, TrainSnapshot } from "./snapshot.ts";
import { standingReason } from "./standing-reason.ts";

interface Situation {
  readonly kept: readonly Entry[];
  readonly train: Train;
  readonly tip: BaseTip;
  readonly snapshot: TrainSnapshot;
}

/** What was about to land is settled first; then whatever does not stand on the base goes back; then the first batch goes on. */
export function decideAdvance(
  kept: readonly Entry[],
  train: Train,
  snapshot: TrainSnapshot,
): readonly TrainCommand[] {
  const { tip } = snapshot;
  if (tip === undefined) return [];
  const batches = batchesOf(kept);
  const landing = batches.find(({ entries }) => entries.some(({ state }) => state === "landing"));
  if (landing !== undefined) return [{ kind: "settle", batch: landing }];
  const { chain, void: fallen } = chainFrom(tip.commit, batches);
  const situation = { kept, train, tip, snapshot };
  // What goes back takes its place in the order first: something that depends on it could pass it otherwise.
  if (fallen.length > 0) return fallen.flatMap((batch) => decideVoid(batch, situation));
  return [
    ...(train.state === "running"
      ? [...decideChain(chain, situation), ...decideNext(chain, situation)]
      : decideStanding(chain, situation)),
  ];
}

/** Evidence counts for one base and one list of entries. */
function decideVoid(batch: Batch, { snapshot, tip }: Situation): readonly TrainCommand[] {
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

function decideChain(chain: readonly Batch[], situation: Situation): readonly TrainCommand[] {
  return chain.flatMap((batch, at): readonly TrainCommand[] => {
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
): readonly TrainCommand[] {
  const verdicts = snapshot.verdicts.get(batch.candidate.tree) ?? [];
  if (at > 0) return verdicts.length > 0 ? [] : [{ kind: "verify", batch }];
  const changes = decideVerdict({ batch, train, verdicts, snapshot });
  return changes === undefined ? [{ kind: "verify", batch }] : [{ kind: "record", changes }];
}

function decideVerified(batch: Batch, { snapshot }: Situation): readonly TrainCommand[] {
  const [first] = batch.entries;
  if (first === undefined || !isProven(batch)) return [];
  // Approval and head are read again after verification: it may have taken an hour.
  return snapshot.reading.readAt > first.changedAt
    ? [{ kind: "land", batch }]
    : [{ kind: "read-again", reason: `${entryName(first)} is verified` }];
}

/** Green, and for exactly this commit: no evidence, no landing. */
function isProven({ entries, candidate }: Batch): boolean {
  return entries.every(
    ({ evidence }) =>
      evidence?.verdict === "green" &&
      evidence.candidate.commit === candidate.commit &&
      evidence.candidate.base === candidate.base,
  );
}

function decideNext(chain: readonly Batch[], situation: Situation): readonly TrainCommand[] {
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

/** Paused or halted: what is under way may end, nothing starts, and everything says what it waits for. */
function decideStanding(chain: readonly Batch[], situation: Situation): readonly TrainCommand[] {
  const { kept, train, tip, snapshot } = situation;
  const reason = standingReason(train);
  const changes: readonly Change[] = kept.flatMap((entry) =>
    entryExplained(entry, reason, snapshot.now),
  );
  return [
    ...(changes.length === 0 ? [] : [{ kind: "record", changes } as const]),
    ...decideChain(chain, situation).filter(({ kind }) => kind === "verify" || kind === "record"),
    ...(train.cause === "red-base" && kept.length > 0
      ? (decideBase(train, tip, snapshot) ?? [])
      : []),
  ];
}
