import { describe, expect, it } from "vitest";
import type { Deps } from "../../src/ports/deps.ts";
import type { Workspace } from "../../src/ports/git.ts";
import type { RunInProgress } from "../../src/runner/agent/run-in-progress.ts";
import { keepMade, leaveRun, leaveWorkspace } from "../../src/runner/leave-run.ts";
import { REPO, aRun, aSpec, aTask, anExploration, shaOf } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

const WORKSPACE: Workspace = {
  repo: REPO,
  id: "run-1",
  place: "1",
  path: "/trees/1",
  base: shaOf(1),
};

describe("leaveWorkspace", () => {
  it.each(["rescueWorkspace", "closeWorkspace"])(
    "moves a folder aside that %s cannot cope with: the next attempt has the same one",
    async (step) => {
      const aside: string[] = [];
      const git = {
        rescueWorkspace: () => Promise.resolve(undefined),
        closeWorkspace: () => Promise.resolve(),
        putWorkspaceAside: ({ id }: Workspace, why: string) => {
          aside.push(`${id}: ${why}`);
          return Promise.resolve();
        },
        [step]: () => Promise.reject(new Error("the disk is full")),
      };
      await leaveWorkspace(WORKSPACE, { git, log: new TestLog() } as unknown as Deps);
      expect(aside).toEqual(["run-1: it could not be closed: the disk is full"]);
    },
  );
});

describe("what an evaluation leaves on a server that shares its store", () => {
  const progress = {
    context: { repo: REPO },
    run: aRun({ contender: 3 }),
    task: aTask({ spec: aSpec({ contenders: 3 }) }),
    evaluation: { exploration: anExploration(), depth: 1 },
  } as unknown as RunInProgress;
  const REF = "refs/wavetrain/explore/1/1/1.3";

  function shared(refusal?: string) {
    const refs: string[] = [];
    const said = refusal === undefined ? { kind: "pushed" } : { kind: "rejected", reason: refusal };
    const noted =
      (what: string, answer: unknown) =>
      (_: unknown, on: unknown): Promise<unknown> => {
        refs.push(`${what} ${typeof on === "string" ? on : (on as { ref: string }).ref}`);
        return Promise.resolve(answer);
      };
    const git = {
      rescueWorkspace: () => Promise.resolve(shaOf(2)),
      closeWorkspace: () => Promise.resolve(),
      keepEvaluation: noted("kept", undefined),
      stageCommit: noted("shown", said),
    };
    const operator = { store: { url: "postgres://shared" } };
    return { refs, deps: { git, operator, log: new TestLog() } as unknown as Deps };
  }

  it("is shown to the others when it succeeded", async () => {
    const { refs, deps } = shared();
    await keepMade(shaOf(2), progress, deps);
    expect(refs).toEqual([`kept ${REF}`, `shown ${REF}`]);
  });

  it("is no success when it cannot be shown: they could not go on with it", async () => {
    const { deps } = shared("it was locked");
    await expect(keepMade(shaOf(2), progress, deps)).rejects.toThrow("it was locked");
  });

  it("stays here when it failed", async () => {
    const { refs, deps } = shared();
    const outcome = { kind: "out-of-scope", paths: ["secrets.txt"] } as const;
    await leaveRun(WORKSPACE, progress, { outcome, deps });
    expect(refs).toEqual([`kept ${REF}`]);
  });
});
