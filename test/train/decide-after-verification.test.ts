import { describe, expect, it } from "vitest";
import { entryMayFollow } from "../../src/domain/entry.ts";
import { mayFollow } from "../../src/domain/task.ts";
import { decideAfterVerification } from "../../src/train/decide-after-verification.ts";
import type { Verification } from "../../src/train/decide-after-verification.ts";
import { NOW, aTask, anEntry, someEvidence } from "../support/builders.ts";

function changesAfter(verification: Verification, failures = 0) {
  const changes = decideAfterVerification({
    entry: anEntry({ state: "verifying" }),
    task: aTask({ state: "queued", failures }),
    verification,
    policy: { attempts: 3, backoffMs: 1000, maxBackoffMs: 5000 },
    now: NOW,
    jitter: 1,
  });
  for (const change of changes) {
    if (change.kind === "entry-moved") expect(entryMayFollow("verifying", change.to)).toBe(true);
    if (change.kind === "task-moved") expect(mayFollow("queued", change.to)).toBe(true);
  }
  return changes;
}

describe("decideAfterVerification", () => {
  it("keeps the evidence of a green candidate and leaves the task in the train", () => {
    const evidence = someEvidence();
    expect(changesAfter({ kind: "green", evidence })).toEqual([
      {
        ...{ kind: "entry-moved", entry: "entry-1", from: "verifying", to: "verified", at: NOW },
        reason: "verified on top of 0000000",
        set: { evidence },
      },
    ]);
  });

  it("sends a red one back to a run, with the evidence", () => {
    const evidence = someEvidence({ verdict: "red" });
    expect(changesAfter({ kind: "red", evidence })).toMatchObject([
      { kind: "entry-moved", to: "rejected", set: { evidence } },
      { kind: "task-moved", from: "queued", to: "waiting", set: { failures: 1 } },
    ]);
  });

  it("sends a conflict back to a run and names the paths", () => {
    const [entry, task] = changesAfter({ kind: "conflict", paths: ["a.ts", "b.ts"] });
    expect(entry).toMatchObject({
      to: "rejected",
      reason: "#11 conflicts with main in a.ts, b.ts",
    });
    expect(task).toMatchObject({ to: "waiting", set: { failures: 1 } });
  });

  it.each<Verification>([
    { kind: "red", evidence: someEvidence({ verdict: "red" }) },
    { kind: "conflict", paths: ["a.ts"] },
  ])("gives the task up when $kind used the last attempt", (verification) => {
    expect(changesAfter(verification, 2)[1]).toMatchObject({ to: "failed" });
  });

  it("asks for a new review when the head moved; that is nobody's failure", () => {
    const changes = changesAfter({ kind: "head-moved" });
    expect(changes).toMatchObject([
      { to: "superseded" },
      { kind: "task-moved", to: "review", set: {} },
    ]);
    expect(changes[1]).toHaveProperty("set", {});
  });

  it("puts the entry back when the world failed, and leaves the task where it is", () => {
    expect(changesAfter({ kind: "interrupted", reason: "no network" })).toMatchObject([
      { kind: "entry-moved", to: "queued", reason: "no network" },
    ]);
  });
});
