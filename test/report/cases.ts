import type { EntryState } from "../../src/domain/entry.ts";
import { wordToConfirm } from "../../src/domain/explore/words.ts";
import { instant, taskId } from "../../src/domain/ids.ts";
import type { BlockedCode } from "../../src/domain/plan.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import type { Whereabouts } from "../../src/domain/story/reason-of.ts";
import type { TaskStory } from "../../src/domain/story/task-story.ts";
import { newTrain } from "../../src/domain/train.ts";
import type { HaltCause, Train } from "../../src/domain/train.ts";
import type { BehindCode, Obstacle, WaitCode } from "../../src/planner/starts/obstacle.ts";
import { NOW, REPO, aRun, aSpec, aTask, anEntry, shaOf } from "../support/builders.ts";
import { aSearch } from "./explorations.ts";

const MINUTE_MS = 60_000;
const AGO = instant(NOW - 3 * MINUTE_MS);
const HEAD = shaOf(7);

const SUCCEEDED = { kind: "succeeded", head: HEAD, files: ["a"], outside: [], notes: "" } as const;
const ENDED = aRun({ runner: "codex", state: "finished", outcome: SUCCEEDED });
const AT_WORK = aRun({ runner: "codex", state: "running", startedAt: AGO });

function halted(cause: HaltCause, reason: string): Train {
  return { ...newTrain(REPO, "main", AGO), state: "halted", cause, reason };
}

export const HALTS: Readonly<Record<HaltCause, Train>> = {
  "red-base": halted("red-base", "main itself fails at cb86071"),
  "integrity-breach": halted("integrity-breach", "cb86071 is not its parent plus 1f3a9c2"),
  permission: halted("permission", "GitHub does not let the app move main"),
};

const PAUSED: Train = {
  ...newTrain(REPO, "main", AGO),
  state: "paused",
  by: "ann",
  reason: "release",
};

function inTrain(state: EntryState, reason: string, train?: Train): TaskStory {
  const task = aTask({ state: "queued", pull: 14, reason: "approved by bob" });
  return { task, run: ENDED, entry: anEntry({ state, reason, pull: 14 }), train, position: 1 };
}

function at(members: Parameters<typeof aTask>[0], run?: TaskStory["run"]): TaskStory {
  return { task: aTask({ changedAt: AGO, ...members }), run, entry: undefined };
}

/** One story for each place where a task can be: a new one without a story does not compile. */
export const STORIES: Readonly<Record<Whereabouts, TaskStory>> = {
  waiting: at({ state: "waiting", reason: "waits for #7: both may write src/auth/session.ts" }),
  blocked: at({ state: "blocked", reason: "dependency cycle: #1 → #2 → #1" }),
  starting: at(
    { state: "running", reason: "its claims and a slot are free" },
    aRun({ runner: "codex" }),
  ),
  running: at({ state: "running", reason: "its claims and a slot are free" }, AT_WORK),
  verifying: at(
    { state: "running", reason: "its claims and a slot are free" },
    { ...AT_WORK, agentEndedAt: AGO },
  ),
  exploring: {
    ...at(
      {
        state: "running",
        attempts: 1,
        spec: aSpec({ explore: { ideas: { kind: "ask", count: 3 } } }),
        reason: "its claims and a slot are free",
      },
      AT_WORK,
    ),
    exploring: aSearch(),
  },
  review: at({ state: "review", pull: 14, reason: "#14 waits for a review" }, ENDED),
  rework: at(
    {
      state: "review",
      pull: 14,
      reason: "changes are requested on #14",
      rework: { kind: "review", answers: ["R_1"], feedback: [], seenAt: AGO },
    },
    ENDED,
  ),
  "train-queued": inTrain("queued", "approved by bob"),
  "train-verifying": inTrain("verifying", "verifying #14 on top of cb86071"),
  "train-verified": inTrain("verified", "verified on top of cb86071"),
  "train-landing": inTrain("landing", "landing on main"),
  "train-paused": inTrain("queued", "approved by bob", PAUSED),
  "train-halted": inTrain("queued", "approved by bob", HALTS["red-base"]),
  landed: at({ state: "landed", pull: 14, reason: "landed on main as 1f3a9c2" }, ENDED),
  failed: at({
    state: "failed",
    reason: "the verify command failed on the change; gave up after 3 attempts",
  }),
  cancelled: at({ state: "cancelled", reason: "cancelled by ann" }),
};

const behind = (code: BehindCode): Obstacle => ({
  kind: "behind",
  code,
  blocker: taskId("octo/app#7"),
});
const blocked = (code: BlockedCode, reason: string): Obstacle => ({
  kind: "blocked",
  code,
  reason,
});
const until = instant(NOW + MINUTE_MS);

export const OBSTACLES: Readonly<Record<WaitCode, Obstacle>> = {
  conflict: behind("conflict"),
  dependency: behind("dependency"),
  "kept-out": behind("kept-out"),
  "plan-order": behind("plan-order"),
  reserved: behind("reserved"),
  "runs-alone": behind("runs-alone"),
  stopped: behind("stopped"),
  wave: behind("wave"),
  "no-slot": {
    kind: "no-slot",
    code: "no-slot",
    of: { kind: "runner", runner: "codex" },
    blocker: undefined,
  },
  "runner-unknown": { kind: "runner", code: "runner-unknown", runner: "codex" },
  "review-limit": { kind: "review-limit", code: "review-limit", limit: 20 },
  "runner-paused": {
    kind: "runner-paused",
    code: "runner-paused",
    runner: "codex",
    because: "its provider's limit",
    until,
  },
  budget: {
    kind: "held",
    code: "budget",
    reason: "the day's budget of $20 is spent: continues at 00:00 UTC",
    until,
  },
  finishing: {
    kind: "held",
    code: "finishing",
    reason: "waits: 9 runs are to be verified and pushed first, 2 at a time",
    until,
  },
  paused: { kind: "held", code: "paused", reason: "paused by ann: release", until: undefined },
  publishing: {
    kind: "held",
    code: "publishing",
    reason: "waits: finished changes have no pull request yet, GitHub takes no more for now",
    until,
  },
  "launch-delay": { kind: "pause", code: "launch-delay", until },
  "retry-delay": { kind: "pause", code: "retry-delay", until },
  "bad-claim": blocked("bad-claim", 'cannot use "/etc": an absolute path (line 6: "- /etc")'),
  "bad-task": blocked("bad-task", "the body is longer than 60,000 characters"),
  "dependency-cycle": blocked("dependency-cycle", "dependency cycle: #1 → #2 → #1"),
  "dependency-failed": blocked("dependency-failed", "depends on #8, which failed"),
  "dependency-not-planned": blocked(
    "dependency-not-planned",
    "depends on #8, which was closed as not planned",
  ),
  "dependency-unknown": blocked("dependency-unknown", "depends on #99, which does not exist"),
  "no-permission": blocked(
    "no-permission",
    ".github/workflows/test.yml is for workflows, and the app lacks the permission workflows: write",
  ),
  "out-of-reach": blocked("out-of-reach", "vendor/lib is a submodule"),
  "over-budget": blocked("over-budget", "its budget of $5 is spent"),
  "to-confirm": blocked("to-confirm", wordToConfirm(aSearch().exploration.plan)),
  untrusted: blocked("untrusted", "moved to Ready by eve, who has no write access"),
};

export const OUTCOMES: Readonly<Record<RunOutcome["kind"], RunOutcome>> = {
  succeeded: SUCCEEDED,
  "no-changes": { kind: "no-changes", notes: "" },
  "out-of-scope": { kind: "out-of-scope", paths: ["README.md"] },
  "verify-failed": { kind: "verify-failed", tail: "1 failing" },
  "not-scored": { kind: "not-scored", tail: "NaN" },
  failed: { kind: "failed", exitCode: 1, tail: "no such model" },
  "not-logged-in": {
    kind: "not-logged-in",
    runner: "codex",
    keys: ["OPENAI_API_KEY"],
    tail: "401 Unauthorized",
  },
  "timed-out": { kind: "timed-out", afterMs: 60 * MINUTE_MS },
  stalled: { kind: "stalled", afterMs: 10 * MINUTE_MS },
  "disk-limit": { kind: "disk-limit", limitBytes: 10 * 1024 ** 3 },
  "provider-limited": { kind: "provider-limited", until },
  cancelled: { kind: "cancelled", reason: "cancelled by ann" },
  lost: { kind: "lost", reason: "the app stopped", interrupted: true },
};
