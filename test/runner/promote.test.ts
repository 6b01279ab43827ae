import { describe, expect, it } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { promote } from "../../src/runner/promote.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aMemory, aRun, aSpec, aTask, shaOf } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

const TASK = aTask({ state: "running", attempts: 1, spec: aSpec({ contenders: 2 }) });
const MADE = { head: shaOf(1), files: ["a"], outside: [], notes: "" };
const RUNS = [1, 2].map((contender) =>
  aRun({
    contender,
    attempt: 1,
    state: "finished",
    baseSha: shaOf(2),
    outcome: { kind: "succeeded", ...MADE },
  }),
);

async function promoteAfter(failedBefore: number, error: Error): Promise<readonly Change[]> {
  const recorded: Change[] = [];
  const memory = aMemory({ tasks: [TASK], runs: RUNS });
  const deps = {
    store: {
      readRepo: () => Promise.resolve(memory),
      record: (_: unknown, changes: readonly Change[]) =>
        Promise.resolve(recorded.push(...changes)),
    },
    github: { takePush: () => Promise.resolve() },
    git: {
      fetchBranch: () => Promise.resolve("tip"),
      catchUp: () => Promise.resolve({ kind: "current" }),
      pushBranch: () => Promise.reject(error),
    },
    clock: { now: () => NOW },
    host: { random: () => 0 },
    log: new TestLog(),
    operator: { retry: { backoff: 1, maxBackoff: 1 } },
  };
  const context = {
    repo: REPO,
    base: "main",
    config: aConfig({ limits: { failures: { infrastructure: 3 } } }),
  };
  await promote({ context, task: TASK, memory, failedBefore }, deps as unknown as Deps);
  return recorded.filter(({ kind }) => kind === "task-moved");
}

describe("promote", () => {
  const refused = new AppError("git-failed", "cannot push");

  it("fails, to be tried again, while there are tries left", async () => {
    await expect(promoteAfter(1, refused)).rejects.toBe(refused);
  });

  it("gives the task up after as many tries as the infrastructure may fail", async () => {
    expect(await promoteAfter(2, refused)).toMatchObject([
      { to: "failed", reason: expect.stringContaining("gave up after 3 tries") as string },
    ]);
  });

  it("leaves a task alone that someone else went on with", async () => {
    const overtaken = new AppError("store-conflict", "someone was first");
    await expect(promoteAfter(9, overtaken)).rejects.toBe(overtaken);
  });
});
