import { expect, describe, it } from "vitest";
import { PassMemory } from "../../src/app/pass.ts";
import type { Task } from "../../src/domain/task.ts";
import { trainIdOf } from "../../src/domain/train.ts";
import type { TrainDeps } from "../../src/train/queue/train-deps.ts";
import { tick } from "../../src/train/tick.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aPull, aReading, aTask } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { useStore } from "../support/use-store.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const HOST = `train-host:${trainIdOf(REPO, "main")}`;

const clock = new TestClock();
const store = useStore(() => clock.now());

async function tickWith(task: Partial<Task>): Promise<PassMemory> {
  await store().record(REPO, [{ kind: "task-added", task: aTask({ pull: 11, ...task }) }]);
  const deps = {
    clock,
    store: store(),
    holder: "one server",
    operator: {
      reconcileEvery: 60_000,
      retry: { backoff: 1_000, maxBackoff: 2_000 },
      store: { url: "postgres://db/wavetrain" },
    },
    host: { random: () => 0 },
    github: {
      branchRules: () => Promise.resolve({ checks: [], mergeQueue: false }),
      nextWriteAt: () => Promise.resolve(clock.now()),
    },
    wake: () => undefined,
  };
  const stored = new PassMemory(() => store().readRepo(REPO));
  const reading = aReading({ pulls: [aPull({ review: "none" })], readAt: clock.now() });
  await tick(CONTEXT, { reading, stored }, deps as unknown as TrainDeps);
  return stored;
}

describe("the train on a store that servers share", () => {
  it("is any server's as long as there is no candidate", async () => {
    await tickWith({ state: "review" });
    const other = await store().acquireLease(HOST, "another server", 1_000);
    expect(other.kind).toBe("held");
  });

  it("is not touched while nothing concerns it, at the cost of one reading", async () => {
    const stored = await tickWith({ state: "waiting" });
    expect(stored.reads).toBe(1);
    expect(stored.isChanged).toBe(false);
  });
});
