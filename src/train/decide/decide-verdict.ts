import type { Change, TrainPatch } from "../../domain/change.ts";
import { entryName } from "../../domain/entry.ts";
import type { Batch, Entry, Evidence } from "../../domain/entry.ts";
import type { EntryId } from "../../domain/ids.ts";
import { retryOrGiveUp } from "../../domain/retry.ts";
import type { Train } from "../../domain/train.ts";
import { failedOnce, knownVerdict, neverEnds } from "../../domain/verification.ts";
import type { Verdict } from "../../domain/verification.ts";
import { OUT_OF_BATCH, entryMoved } from "../queue/entry-changes.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";
import { afterRed, afterRejection } from "./next-batch.ts";

interface Judged {
  readonly batch: Batch;
  readonly train: Train;
  readonly verdicts: readonly Verdict[];
  readonly snapshot: TrainSnapshot;
}

/** Says what the verdicts on its tree mean for the first batch on the base. It is undefined while the verdicts say nothing yet. */
export function decideVerdict(judged: Judged): readonly Change[] | undefined {
  const { batch, verdicts } = judged;
  const green = verdicts.find(({ verdict }) => verdict === "green");
  if (green !== undefined) return verified(judged, green);
  const alone = batch.entries.length === 1;
  if (alone ? knownVerdict(verdicts) === "red" : failedOnce(verdicts)) {
    return alone ? rejected(judged) : bisected(judged);
  }
  if (!neverEnds(verdicts)) return undefined;
  return alone ? rejectedForTime(judged) : taken(judged);
}

function verified({ batch, snapshot }: Judged, verdict: Verdict): readonly Change[] {
  const at = snapshot.now;
  const reason = `verified on top of ${batch.candidate.base.slice(0, 7)}`;
  const set = { evidence: evidenceFrom(batch, verdict, "green") };
  return batch.entries.map((entry) => entryMoved(entry, "verified", { reason, at, set }));
}

function evidenceFrom({ candidate }: Batch, said: Verdict, verdict: "green" | "red"): Evidence {
  const { command, tail, startedAt, at: finishedAt } = said;
  return { candidate, command, verdict, tail, startedAt, finishedAt };
}

/** The first half goes next, on the same base. Then the other half goes, on top of whatever landed. Nobody is blamed yet. */
function bisected(judged: Judged): readonly Change[] {
  const { batch, train, snapshot } = judged;
  const ids = batch.entries.map(({ id }) => id);
  const middle = Math.ceil(ids.length / 2);
  const suspects = [ids.slice(0, middle), ids.slice(middle), ...without(train.suspects, ids)];
  const others = ids.length === 2 ? "another" : `${ids.length - 1} others`;
  return [
    ...sentBack(judged, `fails together with ${others}`),
    learned(judged, { ...afterRed(train, snapshot.policy.batch), suspects }),
  ];
}

/** The change failed twice, alone, on a green base: so the change is at fault. */
function rejected(judged: Judged): readonly Change[] {
  const [entry] = judged.batch.entries;
  const said = judged.verdicts.findLast(({ verdict }) => verdict === "red");
  if (entry === undefined || said === undefined) return [];
  const evidence = evidenceFrom(judged.batch, said, "red");
  const reason = `${entryName(entry)} fails the verify command on top of ${entry.base}`;
  return givenBack(entry, judged, { reason, evidence });
}

/** A verification that does not end is never bisected: a slow host would blame the wrong change. */
function taken(judged: Judged): readonly Change[] {
  const { batch, train } = judged;
  const ids = batch.entries.map(({ id }) => id);
  const suspects = [...ids.map((id) => [id]), ...without(train.suspects, ids)];
  const reason = "their verification does not end: each is verified alone";
  return [...sentBack(judged, reason), learned(judged, { size: 1, suspects })];
}

function rejectedForTime(judged: Judged): readonly Change[] {
  const [entry] = judged.batch.entries;
  if (entry === undefined) return [];
  // A check that nobody reports is named. A command that hangs has only its log.
  const tail = judged.verdicts.findLast(({ verdict }) => verdict === "timed-out")?.tail ?? "";
  const waited = /^nobody reported .+$/m.exec(tail)?.[0];
  const why = waited === undefined ? "" : `: ${waited}`;
  const reason = `the verification of ${entryName(entry)} does not end${why}`;
  return givenBack(entry, judged, { reason, evidence: undefined });
}

function sentBack({ batch, snapshot }: Judged, reason: string): readonly Change[] {
  const move = { reason, at: snapshot.now, set: OUT_OF_BATCH };
  return batch.entries.map((entry) => entryMoved(entry, "queued", move));
}

/** The change needs a new run on the present base. Its claims are free until then. */
function givenBack(
  entry: Entry,
  judged: Judged,
  { reason, evidence }: { readonly reason: string; readonly evidence: Evidence | undefined },
): readonly Change[] {
  const { train, snapshot } = judged;
  const { now, tasks, retry: policy, jitter } = snapshot;
  const task = tasks.find(({ id }) => id === entry.task);
  return [
    entryMoved(entry, "rejected", { reason, at: now, set: { evidence: evidence ?? null } }),
    ...(task?.state === "queued"
      ? [retryOrGiveUp({ task, what: reason, policy, now, jitter })]
      : []),
    learned(judged, {
      ...afterRejection(train, snapshot.policy.batch),
      suspects: without(train.suspects, [entry.id]),
    }),
  ];
}

function learned({ train, snapshot }: Judged, set: TrainPatch): Change {
  const { id, state, reason } = train;
  const at = snapshot.now;
  return { kind: "train-moved", train: id, from: state, to: state, reason, at, set };
}

function without(
  groups: Train["suspects"],
  gone: readonly EntryId[],
): readonly (readonly EntryId[])[] {
  return groups
    .map((group) => group.filter((id) => !gone.includes(id)))
    .filter((group) => group.length > 0);
}
