import fc from "../support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { Activities } from "../../src/background.ts";
import { operatorConfigSchema } from "../../src/config/schema.ts";
import type { Deps } from "../../src/deps.ts";
import { repoName } from "../../src/domain/ids.ts";
import type { RepoName } from "../../src/domain/ids.ts";
import { PoolEvents } from "../../src/pool-events.ts";
import { FinishingRoom } from "../../src/runner/finishing-room.ts";
import { NO_DEPENDENCIES } from "../../src/scheduler/phases.ts";
import { tick } from "../../src/scheduler/tick.ts";
import { aConfig } from "../support/a-config.ts";
import { aReading, aSpec, aTask } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";

const clock = new TestClock();
const store = useStore(() => clock.now());
const SEEN = {
  ...{ reading: aReading(), wave: [], directories: new Set<string>() },
  ...{ dependencies: NO_DEPENDENCIES, rework: new Map<never, never>() },
};

/** A host whose agents never end: all that starts stays. */
function hostWith(slots: number): { readonly deps: Deps; readonly activities: Activities } {
  const log = new TestLog();
  const operator = operatorConfigSchema.parse({
    slots,
    runners: { agent: { command: "a", slots } },
  });
  const host = {
    availableMemory: () => Promise.resolve(Infinity),
    freeDiskBytes: () => Promise.resolve(Infinity),
  };
  const activities = new Activities(() => deps);
  const deps = {
    ...{ clock, log, operator, host, store: store(), background: activities },
    git: { fetchBranch: () => new Promise(() => undefined) },
    pool: new PoolEvents(log),
    finishing: new FinishingRoom(2, clock),
    wake: () => undefined,
  } as unknown as Deps;
  return { deps, activities };
}

let made = 0;

async function addRepo(tasks: number): Promise<RepoName> {
  made += 1;
  const repo = repoName(`acme/shop-${made}`);
  const changes = Array.from({ length: tasks }, (_, at) => {
    const spec = aSpec({ claims: [{ mode: "write", pattern: `${at}.ts` }] });
    return { kind: "task-added", task: aTask({ repo, issue: at + 1, spec }) } as const;
  });
  await store().record(repo, changes);
  return repo;
}

describe("the slots of a host", () => {
  it("are never given to more runs than there are, however many repositories look at once", async () => {
    const scenes = fc.record({
      slots: fc.integer({ min: 1, max: 6 }),
      tasks: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(scenes, async ({ slots, tasks }) => {
        const { deps, activities } = hostWith(slots);
        const repos = await Promise.all(tasks.map(addRepo));
        const config = aConfig({ limits: { parallel: 10 } });
        await Promise.all(repos.map((repo) => tick({ repo, base: "main", config }, SEEN, deps)));
        const wanted = tasks.reduce((sum, count) => sum + count, 0);
        expect(activities.running()).toHaveLength(Math.min(slots, wanted));
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
