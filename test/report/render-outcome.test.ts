import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { renderOutcome } from "../../src/report/render-outcome.ts";
import { HEAD } from "./views.ts";

describe("renderOutcome", () => {
  it.each<[RunOutcome, string]>([
    [{ kind: "succeeded", head: HEAD, files: ["a"], outside: [], notes: "" }, "changed 1 file"],
    [{ kind: "no-changes", notes: "" }, "changed nothing"],
    [
      { kind: "out-of-scope", paths: Array.from({ length: 12 }, (_, i) => `f${i}`) },
      "changed files that the task does not declare: `f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9` and 2 more",
    ],
    [{ kind: "verify-failed", tail: "x" }, "the verification failed"],
    [{ kind: "failed", exitCode: 3, tail: "" }, "the runner failed with exit code 3"],
    [{ kind: "failed", exitCode: undefined, tail: "" }, "the runner was ended by a signal"],
    [{ kind: "timed-out", afterMs: 3_600_000 }, "stopped after 1 h, the time limit"],
    [{ kind: "stalled", afterMs: 610_000 }, "stopped after 10 min 10 s without a sign of life"],
    [
      { kind: "provider-limited", until: instant(1_767_225_600_000) },
      "the runner's provider asks to wait until 2026-01-01 00:00 UTC",
    ],
    [{ kind: "cancelled", reason: "the issue was closed" }, "cancelled: the issue was closed"],
    [{ kind: "lost", reason: "the server restarted" }, "lost: the server restarted"],
  ])("puts %j into words", (outcome, words) => {
    expect(renderOutcome(outcome)).toBe(words);
  });
});
