import { describe, expect, it } from "vitest";
import { describeOutcome } from "../../src/domain/describe-outcome.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { NOW, SUCCEEDED } from "../support/builders.ts";

describe("describeOutcome", () => {
  it.each<[RunOutcome, string]>([
    [SUCCEEDED, "the run succeeded"],
    [{ kind: "no-changes", notes: "" }, "the runner ended without changing anything"],
    [{ kind: "verify-failed", tail: "" }, "the verify command failed on the change"],
    [{ kind: "failed", exitCode: 3, tail: "" }, "the runner ended with exit code 3"],
    [{ kind: "failed", exitCode: undefined, tail: "" }, "the runner was killed"],
    [{ kind: "timed-out", afterMs: 90_000 }, "the runner took longer than 90 s"],
    [{ kind: "stalled", afterMs: 1499 }, "the runner made no progress for 1 s"],
    [
      { kind: "disk-limit", limitBytes: 10 * 2 ** 30 },
      "workspace, HOME and temporary folder of the run together took more than the 10 GB of disk that it may use (maxRunDisk)",
    ],
    [
      { kind: "disk-limit", limitBytes: 1.5 * 2 ** 30, fresh: true },
      "workspace and HOME held more than 1.5 GB of disk before anything ran in them, which is all that a run may use (maxRunDisk)",
    ],
    [{ kind: "provider-limited", until: NOW }, "the provider's limit is reached"],
    [{ kind: "cancelled", reason: "its issue was closed" }, "its issue was closed"],
    [{ kind: "lost", reason: "the app was stopped" }, "the app was stopped"],
  ])("puts %o into words", (outcome, words) => {
    expect(describeOutcome(outcome)).toBe(words);
  });

  it.each([
    [["a.ts"], "a.ts outside"],
    [["a.ts", "b.ts", "c.ts"], "a.ts, b.ts, c.ts outside"],
    [["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"], "a.ts, b.ts, c.ts and 2 more outside"],
  ])("names some of the paths %o", (paths, words) => {
    expect(describeOutcome({ kind: "out-of-scope", paths })).toContain(words);
  });
});
