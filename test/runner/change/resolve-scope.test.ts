import { beforeEach, describe, expect, it } from "vitest";
import { runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { RunInProgress } from "../../../src/runner/agent/run-in-progress.ts";
import { resolveScope } from "../../../src/runner/change/resolve-scope.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO, aHold, aRun, aTask } from "../../support/builders.ts";
import { useStore } from "../../support/use-store.ts";

const store = useStore(() => NOW);
const TASK = aTask({ state: "running" });
const SECOND = taskIdOf(REPO, 2);
const DIFF = { paths: ["src/list.ts", "src/[x].ts"], directories: new Set<string>() };

function settle(through: Partial<Store> = {}): ReturnType<typeof resolveScope> {
  const context = { repo: REPO, base: "main", config: aConfig() };
  const progress = { context, task: TASK, run: aRun(), proof: proof(1) };
  const deps = { store: { ...store(), ...through }, clock: { now: () => NOW } };
  return resolveScope(DIFF, progress as RunInProgress, deps as unknown as Deps);
}

function proof(fence: number): RunInProgress["proof"] {
  return { kind: "run", run: aRun().id, fence };
}

/** Another task starts, with a claim of its choice. */
async function startSecond(pattern: string, fence: number): Promise<void> {
  const run = aRun({ id: runId("run-2"), task: SECOND });
  const claims = [{ mode: "write", pattern }] as const;
  await store().record(REPO, [
    { kind: "run-queued", run },
    { kind: "claims-taken", hold: aHold({ task: SECOND, run: run.id, claims, fence }) },
  ]);
}

beforeEach(() =>
  store().record(REPO, [
    { kind: "task-added", task: TASK },
    { kind: "task-added", task: aTask({ issue: 2, state: "running" }) },
    { kind: "run-queued", run: aRun() },
    { kind: "claims-taken", hold: aHold() },
  ]),
);

describe("settleScope", () => {
  it("takes what is outside of the claims, exactly as it is called", async () => {
    expect(await settle()).toEqual({ kind: "accepted", outside: ["src/[x].ts"] });
    const { holds, fence } = await store().readRepo(REPO);
    expect(holds[0]?.claims.at(-1)).toEqual({ mode: "write", pattern: "src/\\[x\\].ts" });
    expect(fence).toBe(2);
  });

  it.each([
    ["keeps clear of it", "docs/**", "accepted"],
    ["has the same file", "src/**", "refused"],
  ])("looks again when another task starts meanwhile that %s", async (_, pattern, kind) => {
    let reads = 0;
    const readRepo: Store["readRepo"] = async (repo) => {
      const memory = await store().readRepo(repo);
      reads += 1;
      if (reads === 1) await startSecond(pattern, 2);
      return memory;
    };
    expect(await settle({ readRepo })).toMatchObject({ kind });
    expect(reads).toBe(2);
  });

  it("gives up when it is overtaken again and again", async () => {
    const stale = await store().readRepo(REPO);
    await startSecond("docs/**", 2);
    const readRepo = () => Promise.resolve(stale);
    await expect(settle({ readRepo })).rejects.toMatchObject({ code: "store-conflict" });
  });

  it("takes nothing for a run that was given up", async () => {
    const reason = "given up";
    const moved = { kind: "task-moved", task: TASK.id, from: "running", to: "waiting" } as const;
    const stale = await store().readRepo(REPO);
    await store().record(REPO, [
      { kind: "run-finished", run: aRun().id, outcome: { kind: "lost", reason }, at: NOW },
      { ...moved, reason, at: NOW, set: {} },
    ]);
    const readRepo = () => Promise.resolve(stale);
    await expect(settle({ readRepo })).rejects.toMatchObject({ code: "store-fenced" });
  });
});
