import { describe, expect, it } from "vitest";
import { BackgroundWork } from "../../src/app/background-work.ts";
import { PassMemory } from "../../src/app/pass.ts";
import { NO_DEPENDENCIES } from "../../src/board/phases.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { repoName } from "../../src/domain/ids.ts";
import type { RepoName } from "../../src/domain/ids.ts";
import type { Deps } from "../../src/ports/deps.ts";
import { createFinishingRoom } from "../../src/runner/finishing-room.ts";
import { createPoolEvents } from "../../src/scheduler/slots/pool-events.ts";
import { tick } from "../../src/scheduler/tick.ts";
import { aConfig } from "../support/a-config.ts";
import { aReading, aSpec, aTask } from "../support/builders.ts";
import fc from "../support/fast-check.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";

const clock = new TestClock();
const store = useStore(() => clock.now());
const SEEN = {
  reading: aReading(),
  wave: [],
  directories: new Set<string>(),
  dependencies: NO_DEPENDENCIES,
};

/** A host whose agents never end: all that starts stays. */
function hostWith(slots: number): { readonly deps: Deps; readonly activities: BackgroundWork } {
  const log = new TestLog();
  const operator = operatorConfigSchema.parse({
    slots,
    runners: { agent: { command: "a", slots } },
  });
  const host = {
    environment: {},
    availableMemory: () => Promise.resolve(Infinity),
    freeDiskBytes: () => Promise.resolve(Infinity),
  };
  const activities = new BackgroundWork(() => deps);
  const deps = {
    clock,
    log,
    operator,
    host,
    store: store(),
    background: activities,
    git: { fetchBranch: () => new Promise(() => undefined) },
    pool: createPoolEvents(log),
    finishing: createFinishingRoom(2, clock),
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
        await Promise.all(
          repos.map((repo) => {
            const stored = new PassMemory(() => deps.store.readRepo(repo));
            return tick({ repo, base: "main", config }, { ...SEEN, stored }, deps);
          }),
        );
        const wanted = tasks.reduce((sum, count) => sum + count, 0);
        expect(activities.running()).toHaveLength(Math.min(slots, wanted));
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
