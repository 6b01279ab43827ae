import { beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../../src/domain/change.ts";
import type { Batch } from "../../../src/domain/entry.ts";
import { batchId } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import { newTrain } from "../../../src/domain/train.ts";
import type { Deps, RepoContext } from "../../../src/ports/deps.ts";
import type { BranchRules, RefsOutcome } from "../../../src/ports/github.ts";
import type { MergeLock } from "../../../src/ports/store.ts";
import { resolveLanding } from "../../../src/train/land/resolve-landing.ts";
import { FOR_WORKFLOWS, trainPolicy } from "../../../src/train/queue/policy.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO, aCandidate, aTask, shaOf } from "../../support/builders.ts";
import { OPERATOR } from "../model/instance.ts";
import { inBatch } from "../snapshot.ts";
import { TestLog } from "../../support/test-log.ts";

const CONTEXT: RepoContext = { repo: REPO, base: "main", config: aConfig() };
const RULES: BranchRules = {
  approvals: 0,
  checks: [],
  restricted: false,
  mergeQueue: false,
  linear: false,
  signatures: false,
};

let tip: Sha;
let recorded: readonly Change[];
beforeEach(() => {
  tip = aCandidate().base;
});

/** GitHub's answer to a landing that did not happen; the head of the pull request is where it was. */
async function after(outcome: RefsOutcome): Promise<Change | undefined> {
  const task = aTask({ issue: 1, state: "queued", pull: 11 });
  const entry = inBatch({ state: "landing", task: task.id, pull: 11 });
  const batch: Batch = { id: batchId("batch-1"), entries: [entry], candidate: aCandidate() };
  const deps = {
    clock: { now: () => NOW },
    git: {
      fetchBranch: () => Promise.resolve(tip),
      isAncestor: () => Promise.resolve(false),
      remoteBranch: () => Promise.resolve(aCandidate().steps[0]?.head),
    },
    github: {
      pullState: () => Promise.resolve({ mergedAs: undefined }),
      branchRules: () => Promise.resolve(RULES),
    },
    log: new TestLog(),
    operator: OPERATOR,
    store: {
      record: (_: unknown, changes: readonly Change[]) => {
        recorded = changes;
        return Promise.resolve();
      },
    },
  };
  const policy = trainPolicy(CONTEXT.config, RULES);
  const train = newTrain(REPO, "main", NOW);
  const lock = { lease: {} } as unknown as MergeLock;
  const members = { policy, train, tasks: [task], entries: [entry], runs: [] };
  const pass = { context: CONTEXT, lock, ...members, tip: undefined, look: undefined };
  await resolveLanding({ batch, outcome }, pass, deps as unknown as Deps);
  return recorded.find(({ kind }) => kind === "entry-moved");
}

describe("a landing that GitHub calls stale", () => {
  it("is refused where nothing has moved: asking again and again would not help", async () => {
    const moved = await after({ kind: "stale", reason: "expected another commit" });
    expect(moved).toMatchObject({
      to: "rejected",
      reason: "GitHub refused: expected another commit",
      set: { refusedUnder: expect.any(String) as string },
    });
  });

  it("goes back to its place where the base has moved", async () => {
    tip = shaOf(9);
    const moved = await after({ kind: "stale", reason: "expected another commit" });
    expect(moved).toMatchObject({ to: "queued" });
  });
});

describe("a landing that GitHub refuses", () => {
  it("is built anew where the base has moved, whatever GitHub says", async () => {
    tip = shaOf(9);
    const moved = await after({ kind: "refused", reason: "no" });
    expect(moved).toMatchObject({ to: "queued" });
  });

  it("for workflow files is remembered as that, not by its words", async () => {
    const moved = await after({ kind: "refused", reason: "no", workflows: true });
    expect(moved).toMatchObject({ to: "rejected", set: { refusedUnder: FOR_WORKFLOWS } });
  });
});
