import type { Change, TaskCompacted } from "../../../domain/change.ts";
import type { Instant, RepoName } from "../../../domain/ids.ts";
import { holdsClaims } from "../../../domain/task.ts";
import { canonicalJson } from "./columns.ts";
import { explorationRow, movedColumns } from "./exploration-rows.ts";
import { commandRow } from "./intake-rows.ts";
import { entryRow, jsonColumn, suspectsColumn, trainRow } from "./train-rows.ts";
import type { EntryRow, TrainRow } from "./train-rows.ts";
import {
  claimRow,
  intentRow,
  outcomeColumns,
  reworkColumn,
  runRow,
  usageColumn,
  taskRow,
} from "./work-rows.ts";
import type { RunRow } from "./work-rows.ts";
import type { Update, Write } from "./write.ts";

/** Says what a change does to the tables. Nothing else knows this; writing and replaying both use it. */
export function project(repo: RepoName, change: Change): readonly Write[] {
  switch (change.kind) {
    case "claims-taken":
    case "claims-extended":
      return projectClaims(repo, change);
    case "task-moved":
      return [projectTask(change), ...releaseAfter(change)];
    case "task-compacted":
      return projectSummary(repo, change);
    case "events-folded":
      return [];
    case "repo-renamed":
      return [{ kind: "move", renamed: change }];
    case "task-added":
    case "run-queued":
    case "entry-added":
    case "intent-opened":
    case "command-given":
    case "train-added":
    case "verdict-given":
    case "runner-lifted":
    case "exploration-opened":
      return [projectAddition(repo, change)];
    case "task-respecified":
    case "task-vouched":
    case "task-explained":
    case "rework-asked":
    case "run-started":
    case "agent-ended":
    case "run-finished":
    case "run-rebased":
    case "exploration-moved":
    case "entry-moved":
    case "train-moved":
    case "intent-closed":
    case "command-done":
      return [projectStep(change)];
  }
}

type ChangeOf<K extends Change["kind"]> = Extract<Change, { readonly kind: K }>;
type Step = Exclude<
  Extract<Change, { readonly at: Instant }>,
  ChangeOf<"task-moved" | "claims-extended" | "task-compacted" | "events-folded" | "repo-renamed">
>;
type Addition = ChangeOf<
  | "command-given"
  | "task-added"
  | "run-queued"
  | "entry-added"
  | "intent-opened"
  | "train-added"
  | "verdict-given"
  | "runner-lifted"
  | "exploration-opened"
>;

function projectAddition(repo: RepoName, change: Addition): Write {
  switch (change.kind) {
    case "task-added":
      return { kind: "insert", table: "tasks", row: taskRow(change.task) };
    case "run-queued":
      return { kind: "insert", table: "runs", row: runRow(repo, change.run) };
    case "exploration-opened":
      return { kind: "insert", table: "explorations", row: explorationRow(change.exploration) };
    case "entry-added":
      return { kind: "insert", table: "entries", row: entryRow(change.entry) };
    case "intent-opened":
      return { kind: "insert", table: "intents", row: intentRow(change.intent) };
    case "command-given":
      return { kind: "insert", table: "commands", row: commandRow(change.command) };
    case "train-added":
      return { kind: "insert", table: "trains", row: trainRow(change.train) };
    case "verdict-given":
      return { kind: "insert", table: "verdicts", row: change.verdict };
    case "runner-lifted":
      return { kind: "insert", table: "runnerLifts", row: change.lift };
  }
}

function projectStep(change: Step): Write {
  switch (change.kind) {
    case "task-respecified":
    case "task-vouched":
    case "task-explained":
    case "rework-asked":
      return projectTask(change);
    case "run-started":
    case "agent-ended":
    case "run-finished":
    case "run-rebased":
      return projectRun(change);
    case "exploration-moved":
      return projectExploration(change);
    case "entry-moved":
      return projectEntry(change);
    case "train-moved":
      return projectTrain(change);
    case "intent-closed":
      return { kind: "delete", table: "intents", id: change.key };
    case "command-done": {
      const set = { doneAt: change.at };
      return { kind: "update", table: "commands", id: change.command, from: "any", set };
    }
  }
}

/** `changedAt` says when a task came into its state, so only a move sets it. */
function projectTask(
  change: ChangeOf<
    "task-respecified" | "task-vouched" | "task-moved" | "task-explained" | "rework-asked"
  >,
): Update<"tasks"> {
  const row = { kind: "update", table: "tasks", id: change.task } as const;
  switch (change.kind) {
    case "task-respecified":
      return {
        ...row,
        // A run that has begun works by the text that it began with: an edit that was decided before it began comes too late.
        from: ["waiting", "blocked"],
        set: { spec: canonicalJson(change.spec), specHash: change.specHash },
      };
    case "task-vouched":
      return { ...row, from: "any", set: change.set };
    case "task-explained":
      return { ...row, from: "any", set: explanationColumns(change) };
    case "rework-asked":
      return { ...row, from: ["review"], set: { rework: reworkColumn(change.rework) } };
    case "task-moved": {
      const { to, reason, at } = change;
      return {
        ...row,
        from: [change.from],
        set: { ...change.set, state: to, reason, changedAt: at, rework: null },
      };
    }
  }
}

/** Claims are released in the same write that takes the task out of work, so nobody can forget to release them. */
function explanationColumns({ reason, wave, notBefore }: ChangeOf<"task-explained">) {
  const pause = notBefore === undefined ? {} : { notBefore };
  return { reason, wave: wave ?? null, ...pause };
}

function releaseAfter({ task, to }: ChangeOf<"task-moved">): readonly Write[] {
  return holdsClaims(to) ? [] : [{ kind: "release", table: "claims", id: task }];
}

function projectClaims(
  repo: RepoName,
  change: ChangeOf<"claims-taken" | "claims-extended">,
): readonly Write[] {
  const advance = { kind: "advance", table: "fences", id: repo } as const;
  if (change.kind === "claims-taken") {
    const { hold } = change;
    return [
      { kind: "insert", table: "claims", row: claimRow(repo, hold) },
      { ...advance, to: hold.fence },
    ];
  }
  const { task, run, fence, add } = change;
  return [
    { kind: "extend", table: "claims", id: task, run, fence, add },
    { ...advance, to: change.next },
  ];
}

function projectSummary(
  repo: RepoName,
  { task, runs, entries, explorations, fence }: TaskCompacted,
): readonly Write[] {
  return [
    { kind: "insert", table: "tasks", row: taskRow(task) },
    ...runs.map((run): Write => ({ kind: "insert", table: "runs", row: runRow(repo, run) })),
    ...explorations.map((one): Write => ({
      kind: "insert",
      table: "explorations",
      row: explorationRow(one),
    })),
    ...entries.map((one): Write => ({ kind: "insert", table: "entries", row: entryRow(one) })),
    ...(fence === 0 ? [] : [{ kind: "advance", table: "fences", id: repo, to: fence } as const]),
  ];
}

function projectRun(
  change: ChangeOf<"run-started" | "agent-ended" | "run-finished" | "run-rebased">,
): Update<"runs"> {
  const row = { kind: "update", table: "runs", id: change.run } as const;
  if (change.kind === "run-started") {
    const { workspace, baseSha, logPath, at } = change;
    const set: Partial<RunRow> = { state: "running", workspace, baseSha, logPath };
    return { ...row, from: ["queued"], set: { ...set, startedAt: at, heartbeatAt: at } };
  }
  if (change.kind === "agent-ended") {
    return { ...row, from: ["running"], set: { agentEndedAt: change.at } };
  }
  if (change.kind === "run-rebased")
    return { ...row, from: ["finished"], set: outcomeColumns(change.outcome) };
  const set: Partial<RunRow> = {
    state: "finished",
    finishedAt: change.at,
    ...(change.usage === undefined ? {} : { usage: usageColumn(change.usage) }),
    ...(change.session === undefined ? {} : { session: change.session }),
  };
  return {
    ...row,
    from: ["queued", "running"],
    set: { ...set, ...outcomeColumns(change.outcome) },
  };
}

function projectExploration(change: ChangeOf<"exploration-moved">): Update<"explorations"> {
  const { exploration: id, from, unchangedSince: changedAt } = change;
  const row = { kind: "update", table: "explorations", id, from: [from], changedAt } as const;
  return { ...row, set: movedColumns(change) };
}

function projectEntry(change: ChangeOf<"entry-moved">): Update<"entries"> {
  const { candidate, evidence, ...plain } = change.set;
  const set: Partial<EntryRow> = {
    ...plain,
    ...("candidate" in change.set && { candidate: jsonColumn(candidate) }),
    ...("evidence" in change.set && { evidence: jsonColumn(evidence) }),
    state: change.to,
    reason: change.reason,
    changedAt: change.at,
  };
  return { kind: "update", table: "entries", id: change.entry, from: [change.from], set };
}

function projectTrain(change: ChangeOf<"train-moved">): Update<"trains"> {
  const { suspects, ...plain } = change.set;
  const set: Partial<TrainRow> = {
    ...plain,
    ...(suspects !== undefined && { suspects: suspectsColumn(suspects) }),
    state: change.to,
    reason: change.reason,
    changedAt: change.at,
  };
  const { unchangedSince } = change;
  const guard = unchangedSince === undefined ? {} : { changedAt: unchangedSince };
  return { kind: "update", table: "trains", id: change.train, from: [change.from], ...guard, set };
}
