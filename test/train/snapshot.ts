import type { Entry } from "../../src/domain/entry.ts";
import { batchId, instant } from "../../src/domain/ids.ts";
import type { Task } from "../../src/domain/task.ts";
import { newTrain } from "../../src/domain/train.ts";
import type { TrainPolicy } from "../../src/train/queue/policy.ts";
import type { TrainSnapshot } from "../../src/train/queue/snapshot.ts";
import {
  NOW,
  REPO,
  SUCCEEDED,
  aCandidate,
  aReading,
  aRun,
  aTask,
  anEntry,
  shaOf,
  someEvidence,
} from "../support/builders.ts";

/** When tasks and entries came into their states: before the reading. */
export const EARLIER = instant(NOW - 60_000);

export function aSnapshot(members: Partial<TrainSnapshot> = {}): TrainSnapshot {
  return {
    repo: REPO,
    base: "main",
    now: NOW,
    reading: aReading(),
    tasks: [],
    entries: [],
    runs: [],
    intents: [],
    train: newTrain(REPO, "main", EARLIER),
    trains: [],
    pause: undefined,
    policy: aPolicy(),
    tip: { commit: shaOf(1), tree: shaOf(2), verdict: "green" },
    verdicts: new Map(),
    readiness: new Map(),
    retry: { attempts: 3, backoffMs: 1000, maxBackoffMs: 5000 },
    landDelayMs: 0,
    jitter: 0,
    ...members,
  };
}

export function aPolicy(members: Partial<TrainPolicy> = {}): TrainPolicy {
  return {
    landing: "fast-forward",
    method: "squash",
    approvals: 1,
    approvingBots: [],
    batch: 8,
    window: 1,
    land: "pull-request",
    verifiable: true,
    baseline: true,
    needsOurCheck: false,
    checks: [],
    required: [],
    asksForChecks: false,
    forbids: undefined,
    ...members,
  };
}

/** A task with a pull request, in review unless said otherwise. */
export function reviewed(members: Partial<Task> = {}): Task {
  const branch = `wavetrain/${members.issue ?? 1}`;
  return aTask({ state: "review", pull: 11, branch, changedAt: EARLIER, ...members });
}

export function inTrain(members: Partial<Entry> = {}): Entry {
  return anEntry({ enqueuedAt: EARLIER, changedAt: EARLIER, ...members });
}

/** An entry in a batch of its own, with evidence once it is verified. */
export function inBatch(members: Partial<Entry> = {}): Entry {
  const candidate = aCandidate();
  const isProven = members.state === "verified" || members.state === "landing";
  return inTrain({
    state: "verifying",
    batch: batchId("batch-1"),
    place: 0,
    candidate,
    ...(isProven && { evidence: someEvidence({ candidate }) }),
    ...members,
  });
}

export const FINISHED_RUN = aRun({ state: "finished", outcome: SUCCEEDED });
