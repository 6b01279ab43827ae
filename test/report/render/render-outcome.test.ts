import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import type { RunOutcome } from "../../../src/domain/run.ts";
import { renderOutcome } from "../../../src/report/render/render-outcome.ts";
import { HEAD } from "../views.ts";

describe("renderOutcome", () => {
  it.each<[RunOutcome, string]>([
    [{ kind: "succeeded", head: HEAD, files: ["a"], outside: [], notes: "" }, "changed 1 file"],
    [{ kind: "no-changes", notes: "" }, "the runner ended without changing anything"],
    [
      { kind: "out-of-scope", paths: Array.from({ length: 12 }, (_, i) => `f${i}`) },
      "changed files that the task does not declare: `f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9` and 2 more",
    ],
    [{ kind: "failed", exitCode: 3, tail: "" }, "the runner ended with exit code 3"],
    [
      { kind: "provider-limited", until: instant(1_767_225_600_000) },
      "the provider's limit is reached until 2026-01-01 00:00 UTC",
    ],
    [{ kind: "cancelled", reason: "the issue was closed" }, "the issue was closed"],
    [{ kind: "lost", reason: "the server restarted" }, "the server restarted"],
  ])("puts %j into words", (outcome, words) => {
    expect(renderOutcome(outcome)).toBe(words);
  });
});
