import { describe, expect, it } from "vitest";
import type { Deps } from "../../src/ports/deps.ts";
import type { Workspace } from "../../src/ports/git.ts";
import { leaveWorkspace } from "../../src/runner/leave-run.ts";
import { REPO, shaOf } from "../support/builders.ts";
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
