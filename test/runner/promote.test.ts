import { describe, expect, it } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { levelOn } from "../../src/domain/explore/next-step.ts";
import { instant } from "../../src/domain/ids.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { RepoMemory } from "../../src/ports/store.ts";
import { promote } from "../../src/runner/promote.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import {
  NOW,
  REPO,
  aMemory,
  aPlan,
  aRun,
  aSpec,
  aTask,
  anExploration,
  shaOf,
} from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

const TASK = aTask({ state: "running", attempts: 1, spec: aSpec({ contenders: 2 }) });
/** Contenders are told the same. */
const IDEAS = ["1", "2"].map((name) => ({ name, text: "" }));
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

interface Surroundings {
  readonly meanwhile?: (memory: RepoMemory) => RepoMemory;
  /** It gets the refs that are taken off GitHub. */
  readonly unstaged?: string[];
}

async function promoteAfter(
  failedBefore: number,
  error: Error,
  { meanwhile = (memory) => memory, unstaged = [] }: Surroundings = {},
): Promise<readonly Change[]> {
  const recorded: Change[] = [];
  const plan = aPlan({ ideas: IDEAS, depth: 1 });
  const root = [{ number: 0, commit: shaOf(2) }];
  const levels = [levelOn(root, plan, { depth: 1, after: 0, now: NOW })];
  const explorations = [anExploration({ task: TASK.id, plan, levels, base: shaOf(2) })];
  const memory = aMemory({ tasks: [TASK], runs: RUNS, explorations });
  const deps = {
    store: {
      readRepo: () => Promise.resolve(meanwhile(memory)),
      record: (_: unknown, changes: readonly Change[]) =>
        Promise.resolve(recorded.push(...changes)),
    },
    github: { takePush: () => Promise.resolve() },
    git: {
      fetchBranch: () => Promise.resolve("tip"),
      catchUp: () => Promise.resolve({ kind: "current" }),
      pushBranch: () => Promise.reject(error),
      treeOf: () => Promise.resolve("tree"),
      unstage: (_: unknown, ref: string) => Promise.resolve(unstaged.push(ref)),
    },
    clock: { now: () => NOW },
    host: { random: () => 0 },
    log: new TestLog(),
    operator: {
      retry: { backoff: 1, maxBackoff: 1 },
      store: { url: "postgres://shared" },
      budget: { perTask: {} },
    },
  };
  const context = {
    repo: REPO,
    base: "main",
    config: aConfig({ limits: { failures: { infrastructure: 3 } } }),
  };
  const { signal } = new AbortController();
  await promote({ context, task: TASK, memory, failedBefore, signal }, deps as unknown as Deps);
  return recorded.filter(({ kind }) => kind === "task-moved");
}

describe("promote", () => {
  const refused = new AppError("git-failed", "cannot push");

  it("fails, to be tried again, while there are tries left", async () => {
    await expect(promoteAfter(1, refused)).rejects.toBe(refused);
  });

  it.each<[string, (memory: RepoMemory) => RepoMemory]>([
    [
      "was stopped or ended",
      (memory) => ({
        ...memory,
        explorations: memory.explorations.map((one) => ({ ...one, changedAt: instant(NOW + 1) })),
      }),
    ],
    ["is of a task that was taken away", (memory) => ({ ...memory, tasks: [] })],
  ])("pushes nothing for an exploration that %s meanwhile", async (_, meanwhile) => {
    const overtaken = { code: "store-conflict" };
    await expect(promoteAfter(0, refused, { meanwhile })).rejects.toMatchObject(overtaken);
  });

  it("gives the task up after as many tries as the infrastructure may fail", async () => {
    expect(await promoteAfter(2, refused)).toMatchObject([
      { to: "failed", reason: expect.stringContaining("gave up after 3 tries") as string },
    ]);
  });

  it("takes off GitHub what servers handed to each other, also of contenders", async () => {
    const unstaged: string[] = [];
    await promoteAfter(2, refused, { unstaged });
    expect(unstaged).toEqual(["refs/wavetrain/explore/1/1/1.1", "refs/wavetrain/explore/1/1/1.2"]);
  });

  it("leaves a task alone that someone else went on with", async () => {
    const overtaken = new AppError("store-conflict", "someone was first");
    await expect(promoteAfter(9, overtaken)).rejects.toBe(overtaken);
  });
});
