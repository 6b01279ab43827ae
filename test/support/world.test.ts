import { describe, expect, it, onTestFinished } from "vitest";
import { departures, differencesFromDefaults } from "../../src/config/repository/differences.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { WORLD_REASONS } from "./world-options.ts";
import type { WorldOptions } from "./world-options.ts";
import { World } from "./world.ts";

async function departuresOf(options: WorldOptions) {
  const world = await World.create({ ...options, startApp: false });
  onTestFinished(() => world.close());
  const config = operatorConfigSchema.parse(world.operatorConfig());
  return departures(differencesFromDefaults(config, WORLD_REASONS));
}

describe("World", () => {
  it("differs from the defaults only where a reason is given", async () => {
    const differences = await departuresOf({});
    expect(differences.map(({ path }) => path)).toEqual([
      "github.pacing",
      "sandbox",
      "minFreeMemory",
      "retry.backoff",
      "retry.maxBackoff",
      "repositories.*.report.waitingAfter",
    ]);
    expect(differences.filter(({ reason }) => reason === undefined)).toEqual([]);
  });

  it("starts at the defaults when asked to", async () => {
    const differences = await departuresOf({ defaults: true });
    expect(differences.map(({ path }) => path)).toEqual(["sandbox"]);
  });

  it("stands beside others in one process, each with tokens of its own", async () => {
    const worlds = await Promise.all([1, 2, 3].map(() => World.create({ strict: false })));
    onTestFinished(async () => {
      for (const world of worlds) await world.close();
    });
    for (const world of worlds) expect((await world.status()).repositories).toHaveLength(1);
  });
});
