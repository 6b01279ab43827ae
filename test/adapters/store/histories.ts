import type { Change } from "../../../src/domain/change.ts";
import { entryMayFollow } from "../../../src/domain/entry.ts";
import type { EntryState } from "../../../src/domain/entry.ts";
import { entryId, explorationId, runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import { mayFollow } from "../../../src/domain/task.ts";
import type { TaskState } from "../../../src/domain/task.ts";
import { newTrain, trainIdOf } from "../../../src/domain/train.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import {
  NOW,
  SUCCEEDED,
  aHold,
  aRun,
  aSpec,
  aTask,
  anEntry,
  anExploration,
  anIntent,
  aVerdict,
  shaOf,
} from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { EVIDENCE, later } from "./changes.ts";

export const TASK_STATES: readonly TaskState[] = [
  ...(["waiting", "blocked", "running", "review", "queued"] as const),
  ...(["landed", "failed", "cancelled"] as const),
];
export const ENTRY_STATES: readonly EntryState[] = [
  ...(["queued", "verifying", "verified", "landing"] as const),
  ...(["landed", "rejected", "superseded"] as const),
];

/** What only compaction writes is not drawn. */
type DrawnKind = Exclude<
  Change["kind"],
  "task-compacted" | "events-folded" | "command-given" | "command-done" | "repo-renamed"
>;

/** A change that is not yet about anything. */
export interface Draw {
  readonly kind: DrawnKind;
  /** Few, so that changes meet on the same task. */
  readonly task: number;
  readonly value: number;
  /** Moves to any state rather than to one that may follow. */
  readonly wild: boolean;
}

export const arbitraryBatches: fc.Arbitrary<readonly (readonly Draw[])[]> = fc.array(
  fc.array(
    fc.record({
      kind: fc.constantFrom(
        ...(["task-added", "task-moved", "task-explained", "task-respecified"] as const),
        ...(["rework-asked", "task-vouched"] as const),
        ...(["run-queued", "run-started", "agent-ended", "run-finished"] as const),
        ...(["entry-added", "entry-moved"] as const),
        ...(["run-rebased", "exploration-opened", "exploration-moved"] as const),
        ...(["entry-moved", "entry-moved", "intent-opened", "intent-closed"] as const),
        ...(["claims-taken", "claims-taken", "claims-extended"] as const),
        ...(["train-added", "train-moved", "train-moved", "verdict-given"] as const),
      ),
      task: fc.integer({ min: 1, max: 3 }),
      value: fc.nat(5),
      wild: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  { minLength: 30, maxLength: 60 },
);

/** The change that a draw stands for when the repository looks like `memory`; often legal, not always. */
export function changeOf(repo: RepoName, memory: RepoMemory, draw: Draw): Change {
  const id = `${repo}:${draw.task}:${draw.value}`;
  return CHANGES[draw.kind]({ repo, memory, id, ...draw });
}

interface Situation extends Draw {
  readonly repo: RepoName;
  readonly memory: RepoMemory;
  readonly id: string;
}

const CHANGES: { readonly [K in DrawnKind]: (situation: Situation) => Change } = {
  "task-added": ({ repo, task, value }) => ({
    kind: "task-added",
    task: aTask({ repo, issue: task + 3 * (value >> 1) }),
  }),
  "task-respecified": ({ repo, task, id, value }) => ({
    kind: "task-respecified",
    task: taskIdOf(repo, task),
    spec: aSpec({ body: id }),
    specHash: `spec-${value}`,
    at: later(value),
  }),
  "task-vouched": ({ repo, task, id, value }) => ({
    kind: "task-vouched",
    task: taskIdOf(repo, task),
    set:
      value === 0
        ? { acceptedBy: null, disregarded: null }
        : { acceptedBy: id, acceptedAt: later(value), acceptedText: id, strayedAt: later(value) },
    at: later(value),
  }),
  "rework-asked": ({ repo, task, id, value }) => ({
    kind: "rework-asked",
    task: taskIdOf(repo, task),
    rework: value === 0 ? null : { kind: "review", answers: [id], feedback: [], seenAt: value },
    at: later(value),
  }),
  "task-explained": ({ repo, task, id, value }) => ({
    kind: "task-explained",
    task: taskIdOf(repo, task),
    reason: id,
    wave: value === 0 ? undefined : value,
    at: later(value),
  }),
  "task-moved": ({ repo, memory, task, value, wild }) => {
    const id = taskIdOf(repo, task);
    const from = memory.tasks.find((known) => known.id === id)?.state ?? "waiting";
    const next = TASK_STATES.filter((to) => wild || mayFollow(from, to));
    const to = pick(next, value) ?? "waiting";
    const set = value === 0 ? {} : { attempts: value, pull: value === 1 ? null : value };
    return { kind: "task-moved", task: id, from, to, reason: `to ${to}`, at: later(value), set };
  },
  "run-queued": ({ repo, task, id, value }) => ({
    kind: "run-queued",
    run: aRun({ id: runId(id), task: taskIdOf(repo, task), attempt: value % 4 }),
  }),
  "run-started": ({ memory, id, value }) => ({
    kind: "run-started",
    run: pick(memory.runs, value)?.id ?? runId(id),
    workspace: id,
    baseSha: shaOf(1),
    logPath: id,
    at: later(value),
  }),
  "agent-ended": ({ memory, id, value }) => ({
    kind: "agent-ended",
    run: pick(memory.runs, value)?.id ?? runId(id),
    at: later(value),
  }),
  "run-finished": ({ memory, id, value }) => ({
    kind: "run-finished",
    run: pick(memory.runs, value)?.id ?? runId(id),
    outcome: SUCCEEDED,
    ...(value % 2 === 0 && { session: id }),
    at: later(value),
  }),
  "run-rebased": ({ memory, id, value }) => ({
    kind: "run-rebased",
    run: pick(memory.runs, value)?.id ?? runId(id),
    outcome: { ...SUCCEEDED, head: shaOf(value + 1) },
    at: later(value),
  }),
  "exploration-opened": ({ repo, task, value }) => ({
    kind: "exploration-opened",
    exploration: anExploration({
      id: explorationId(taskIdOf(repo, task), value),
      repo,
      task: taskIdOf(repo, task),
      attempt: value,
    }),
  }),
  "exploration-moved": ({ repo, memory, task, value, wild }) => {
    const known = pick(memory.explorations, value);
    const from = known?.state ?? "exploring";
    const to = value % 2 === 0 ? "ended" : "exploring";
    const set =
      value % 2 === 0 ? { end: { why: "over", winner: value } } : { stop: STOPPED, levels: [] };
    return {
      kind: "exploration-moved",
      exploration: known?.id ?? explorationId(taskIdOf(repo, task), value),
      from,
      to,
      unchangedSince: wild ? later(value) : (known?.changedAt ?? NOW),
      set,
      at: later(value + 1),
    };
  },
  "entry-added": ({ repo, task, id, value }) => ({
    kind: "entry-added",
    entry: anEntry({ repo, id: entryId(id), task: taskIdOf(repo, task), pull: value % 4 }),
  }),
  "entry-moved": ({ memory, id, value, wild }) => {
    const entry = pick(memory.entries, value);
    const from = entry?.state ?? "queued";
    const next = ENTRY_STATES.filter((to) => wild || entryMayFollow(from, to));
    const to = pick(next, value) ?? "queued";
    const set = to === "verified" ? { evidence: EVIDENCE } : { evidence: null };
    const moved = { entry: entry?.id ?? entryId(id), from, to, set };
    return { kind: "entry-moved", ...moved, reason: `to ${to}`, at: later(value) };
  },
  "claims-taken": ({ repo, memory, task, id, value, wild }) => {
    const run = memory.runs.findLast((one) => one.state === "queued");
    const fence = memory.fence + (wild ? value : 1);
    const taker = { task: run?.task ?? taskIdOf(repo, task), run: run?.id ?? runId(id) };
    return { kind: "claims-taken", hold: aHold({ ...taker, fence, takenAt: later(value) }) };
  },
  "claims-extended": ({ repo, memory, task, id, value, wild }) => {
    const hold = pick(memory.holds, value);
    const of = { task: hold?.task ?? taskIdOf(repo, task), run: hold?.run ?? runId(id) };
    const fences = { fence: hold?.fence ?? 1, next: memory.fence + (wild ? value : 1) };
    const add = [{ mode: "write", pattern: `src/${value}.ts` }] as const;
    return { kind: "claims-extended", ...of, ...fences, add, at: later(value) };
  },
  "train-added": ({ repo, value }) => ({
    kind: "train-added",
    train: newTrain(repo, `branch-${value % 2}`, later(value)),
  }),
  "train-moved": ({ repo, memory, task, value, wild }) => {
    const id = trainIdOf(repo, `branch-${value % 2}`);
    const known = memory.trains.find((train) => train.id === id)?.state ?? "running";
    const from = wild ? "halted" : known;
    const to = (["running", "paused", "halted"] as const)[task % 3] ?? "running";
    const set = { by: value === 0 ? null : "ada", size: value, suspects: [[entryId("a")]] };
    return { kind: "train-moved", train: id, from, to, reason: `to ${to}`, at: later(value), set };
  },
  "verdict-given": ({ repo, id }) => ({
    kind: "verdict-given",
    verdict: aVerdict({ repo, id }),
  }),
  "runner-lifted": ({ repo, id, value }) => ({
    kind: "runner-lifted",
    lift: { id, repo, runner: "agent", by: "ada", at: later(value) },
  }),
  "intent-opened": ({ repo, id }) => ({
    kind: "intent-opened",
    intent: anIntent({ key: id, repo }),
  }),
  "intent-closed": ({ memory, id, value }) => ({
    kind: "intent-closed",
    key: pick(memory.intents, value)?.key ?? id,
    result: "seen",
    at: later(value),
  }),
};

const STOPPED = { why: "cancelled by ada", keep: true } as const;

/** From the end: what came last is least likely to be over. */
function pick<T>(values: readonly T[], n: number): T | undefined {
  return values.at(-1 - (n % Math.max(1, values.length)));
}
