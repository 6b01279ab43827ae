import { describe, expect, it } from "vitest";
import {
  EXPLORE_REASONS,
  exploreConfig,
  exploreSettings,
  worthSaying,
} from "../../../src/cli/explore/explore-config.ts";
import type { ExploreOptions, WantedLimits } from "../../../src/cli/explore/explore-options.ts";
import { renderExplorePlan } from "../../../src/cli/explore/explore-plan.ts";
import { departures, differencesFromDefaults } from "../../../src/config/repository/differences.ts";
import { defaultRepoConfig, mergeConfig } from "../../../src/config/repository/read-repo-config.ts";
import { MAX_EVALUATIONS } from "../../../src/domain/exploration.ts";
import { OPTIONS } from "./explore-options-of.ts";

const PLACE = { folder: "/tmp/nowhere", url: "http://127.0.0.1:1", repo: "local/shop" };
/** Nobody but root has a PID namespace in which a typed command could do the same. */
const NOT_ROOTS = process.getuid?.() === 0 ? [] : ["pidNamespace"];

function limited(limits: Partial<WantedLimits>): ExploreOptions {
  return { ...OPTIONS, limits: { ...OPTIONS.limits, ...limits } };
}

async function configOf(options: ExploreOptions) {
  const config = await exploreConfig(options, PLACE);
  if (!config.ok) throw new Error(config.error);
  return config.value;
}

async function saidOf(options: ExploreOptions) {
  const differences = differencesFromDefaults(await configOf(options), EXPLORE_REASONS);
  return worthSaying(departures(differences));
}

function mergedOf(options: ExploreOptions) {
  const merged = mergeConfig(defaultRepoConfig(), exploreSettings(options));
  if (!merged.ok) throw new Error(merged.error);
  return merged.value;
}

describe("exploreConfig", () => {
  it("has no sandbox, a HOME for each evaluation, and one evaluation after the other", async () => {
    const config = await configOf(OPTIONS);
    expect(config).toMatchObject({
      sandbox: "none",
      home: "own",
      slots: 1,
      finishing: 2,
      runners: { local: { command: "/home/me/agent.sh", env: ["WORD"], slots: 1 } },
    });
    const said = await saidOf(OPTIONS);
    expect(said.map(({ path }) => path)).toEqual(["sandbox", ...NOT_ROOTS]);
    expect(said.every(({ reason }) => reason !== undefined)).toBe(true);
  });

  it("gives every evaluation that may run a slot, and a place to be scored", async () => {
    const options = limited({ parallel: 6, perNode: 2 });
    expect(await configOf(options)).toMatchObject({ slots: 6, finishing: 6 });
    expect(mergedOf(options)).toMatchObject({
      limits: { parallel: 6 },
      explore: { parallel: 6, perNode: 2 },
    });
  });

  it("leaves to the repository's settings what was not typed", () => {
    expect(exploreSettings(OPTIONS)).toMatchObject({
      explore: { score: "given", parallel: 1 },
      scores: { given: { run: "./score.sh", files: ["score.sh"], best: "high" } },
    });
    expect(exploreSettings(OPTIONS)).not.toMatchObject({ explore: { depth: 2 } });
    expect(mergedOf(OPTIONS).explore).toMatchObject({ depth: 2, beam: 3, retries: 1 });
  });

  it("never asks whether it may cost so much", () => {
    const { confirmAbove } = mergedOf(OPTIONS).explore;
    expect(confirmAbove.evaluations).toBeGreaterThan(MAX_EVALUATIONS);
  });

  it("lets nothing end an evaluation before its own time is over", async () => {
    const options = limited({ timeoutMs: 7_200_000 });
    expect(mergedOf(options)).toMatchObject({
      explore: { timeout: 7_200_000 },
      scores: { given: { timeout: 7_200_000 } },
      timeouts: { run: 7_200_000, idle: 7_200_000, verify: 7_200_000 },
    });
    const said = await saidOf(options);
    expect(said.find(({ path }) => path === "repositories.*.timeouts.idle")?.reason).toBe(
      "asked for by --eval-timeout-seconds",
    );
    const usual = defaultRepoConfig().timeouts;
    expect(mergedOf(limited({ timeoutMs: 60_000 })).timeouts).toEqual(usual);
  });
});

describe("renderExplorePlan", () => {
  it("says what is tried at most, with what follows from the repository's own settings", () => {
    const options = { ...limited({ parallel: 4, perNode: 2, timeoutMs: 600_000 }), verify: "make" };
    const own = mergeConfig(defaultRepoConfig(), { explore: { patience: 2, strict: true } });
    if (!own.ok) throw new Error(own.error);
    const config = mergeConfig(own.value, exploreSettings(options));
    if (!config.ok) throw new Error(config.error);
    expect(renderExplorePlan({ ...options, config: config.value })).toMatchInlineSnapshot(`
      "Plan
        3 ideas: ideas/*.md
        2 levels: each idea on main, then each on the best 3 of the level before
        up to 12 evaluations, 4 at once, 2 of one commit; each may take 10 min, and is tried again once if it fails
        score: \`./score.sh\`, the highest is the best; of the base: score.sh
        ends early when an evaluation fails: it is strict, or when 2 levels brought no better score
      "
    `);
  });
});
