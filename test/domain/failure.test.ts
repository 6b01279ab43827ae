import { describe, expect, it } from "vitest";
import { failureClassOf, failureSignature, describeOutcome } from "../../src/domain/failure.ts";
import type { FailureClass } from "../../src/domain/failure.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { NOW, SUCCEEDED } from "../support/builders.ts";

describe("failureClassOf", () => {
  it.each<[RunOutcome, FailureClass | undefined]>([
    [SUCCEEDED, undefined],
    [{ kind: "cancelled", reason: "" }, undefined],
    [{ kind: "provider-limited", until: NOW }, undefined],
    [{ kind: "failed", exitCode: 1, tail: "" }, "agent"],
    [{ kind: "verify-failed", tail: "" }, "verify"],
    [{ kind: "out-of-scope", paths: [] }, "scope"],
    [{ kind: "no-changes", notes: "" }, "no-changes"],
    [{ kind: "timed-out", afterMs: 1 }, "timeout"],
    [{ kind: "stalled", afterMs: 1 }, "stall"],
    [{ kind: "lost", reason: "no network" }, "infrastructure"],
    [{ kind: "lost", reason: "killed", vanished: true }, "vanished"],
    [{ kind: "disk-limit", limitBytes: 1 }, "agent"],
    [{ kind: "lost", reason: "the app was stopped", interrupted: true }, undefined],
  ])("puts %j into %s", (outcome, expected) => {
    expect(failureClassOf(outcome)).toBe(expected);
  });
});

describe("failureSignature", () => {
  const failed = (tail: string, exitCode?: number): RunOutcome => ({
    kind: "failed",
    exitCode,
    tail,
  });

  it.each([
    ["times", "12:01:33 no key", "13:44:02 no key"],
    ["durations and line breaks", "took 3 s\nno key", "took 45 s no key"],
    ["ids", "run 4f1c2d9ab0 failed", "run 77aa01cd failed"],
    ["folders", "in /data/runs/a1/x.ts: no", "in /data/runs/b2/x.ts: no"],
  ])("is the same for failures that differ in %s", (_, one, other) => {
    expect(failureSignature(failed(one))).toBe(failureSignature(failed(other)));
  });

  it("differs in words, in exit code and in kind", () => {
    const signatures = [
      failed("no key", 1),
      failed("no network", 1),
      failed("no key", 2),
      failed("no key"),
      { kind: "verify-failed", tail: "no key" } as const,
    ].map(failureSignature);
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it("does not look at the order of paths outside the scope", () => {
    const outside = (...paths: string[]): RunOutcome => ({ kind: "out-of-scope", paths });
    expect(failureSignature(outside("a", "b"))).toBe(failureSignature(outside("b", "a")));
    expect(failureSignature(outside("a"))).not.toBe(failureSignature(outside("b")));
  });
});

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
