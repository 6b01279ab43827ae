import { describe, expect, it } from "vitest";
import { renderStatus } from "../../src/cli/remote/status-command.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { getStatus } from "../../src/control/get-status.ts";
import type { Status } from "../../src/control/get-status.ts";
import type { ControlSource } from "../../src/control/route.ts";
import { summaryOf } from "../../src/domain/explore/summary.ts";
import type { Exploring } from "../../src/domain/story/task-story.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { aContest, aSearch, anEndedSearch } from "../report/explorations.ts";
import { NOW, REPO, aMemory, aSpec, aTask } from "../support/builders.ts";

/** The status of a repository with one task, which explored or explores. */
async function statusOf(state: TaskState, exploring: Exploring | undefined): Promise<Status> {
  const spec = aSpec({ explore: { ideas: { kind: "ask", count: 3 } } });
  const memory = aMemory({
    tasks: [aTask({ state, attempts: 1, spec })],
    runs: exploring?.runs ?? [],
    explorations: exploring === undefined ? [] : [exploring.exploration],
  });
  const source = {
    operator: operatorConfigSchema.parse({ runners: { codex: { preset: "codex" } } }),
    store: {
      readRepo: () => Promise.resolve(memory),
      recentRuns: () => Promise.resolve([]),
      runnerLifts: () => Promise.resolve(new Map()),
    },
    host: { environment: {} },
    pool: { queues: () => new Map() },
    clock: { now: () => NOW },
    notices: { of: () => [], ofServer: () => [], about: () => [] },
    watched: () => [REPO],
    running: () => [],
    budgets: () => [],
    heldBack: () => [],
  } as unknown as ControlSource;
  const request = { query: new URLSearchParams(), signal: AbortSignal.abort() };
  const answer = await getStatus.answer(request, source);
  if (answer.kind !== "json") throw new Error("it sends no status");
  return answer.body as Status;
}

const levelLines = (status: Status): readonly string[] =>
  renderStatus(status, 200)
    .split("\n")
    .filter((line) => line.startsWith("#1, level"));

describe("the status of a task that explores", () => {
  it("has all evaluations, and how far each level is", async () => {
    const { exploration, runs } = aSearch();
    const status = await statusOf("running", { exploration, runs });
    const [task] = status.repositories[0]?.tasks ?? [];
    expect(task?.explore).toEqual(summaryOf(exploration, runs));
    expect(task?.reason).toBe("level 2 of 2: 1 of 6 evaluations have ended, best 13 (base 10)");
    expect(levelLines(status)).toEqual([
      "#1, level 1: 3 of 3, 1 failed, best 12.5, promoted 2, 3",
      "#1, level 2: 1 of 6, 1 running, best 13",
    ]);
  });

  it("keeps them when it is over, and prints them no more", async () => {
    const status = await statusOf("review", anEndedSearch());
    expect(status.repositories[0]?.tasks[0]?.explore?.winner).toMatchObject({ evaluation: 7 });
    expect(levelLines(status)).toEqual([]);
  });

  it("has contenders as evaluations, without levels", async () => {
    const status = await statusOf("running", aContest());
    expect(status.repositories[0]?.tasks[0]?.explore?.evaluations).toHaveLength(3);
    expect(levelLines(status)).toEqual([]);
  });

  it("says nothing of it for every other task", async () => {
    const [task] = (await statusOf("waiting", undefined)).repositories[0]?.tasks ?? [];
    expect(task).not.toHaveProperty("explore");
    expect(task).not.toHaveProperty("exploreLevels");
  });
});
