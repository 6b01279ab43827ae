import type { Entry, EntryState } from "../../src/domain/entry.ts";
import { instant, repoName, runId, sha, taskId } from "../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../src/domain/run.ts";
import type { Task, TaskSpec } from "../../src/domain/task.ts";
import type { Origin } from "../../src/report/render/render-commit-message.ts";
import {
  aRun as buildRun,
  aSpec as buildSpec,
  aTask as buildTask,
  anEntry as buildEntry,
} from "../support/builders.ts";

export const BASE = sha("b".repeat(40));
export const HEAD = sha("a".repeat(40));
export const COMMIT = sha("c".repeat(40));
export const REPO = repoName("acme/shop");

export const ORIGIN: Origin = { task: taskId("acme/shop#12"), run: runId("run-7"), base: BASE };

export function aSpec(over: Partial<TaskSpec> = {}): TaskSpec {
  return buildSpec({
    title: "Keep sessions",
    body: "Keep them.",
    claims: [
      { mode: "write", pattern: "src/session/**" },
      { mode: "read", pattern: "src/db.ts" },
    ],
    ...over,
  });
}

export function aTask(over: Partial<Task> = {}): Task {
  const times = { readySince: instant(0), changedAt: instant(0) };
  return buildTask({ repo: REPO, issue: 12, spec: aSpec(), reason: "", ...times, ...over });
}

export function aRun(outcome: RunOutcome | undefined, attempt = 1): Run {
  const state = outcome === undefined ? "running" : "finished";
  return buildRun({ attempt, runner: "codex", outcome, state });
}

export function anEntry(state: EntryState, reason = ""): Entry {
  return buildEntry({ state, reason });
}
