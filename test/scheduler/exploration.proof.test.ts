import { describe, expect, it } from "vitest";
import { evaluationsOf } from "../../src/domain/explore/evaluations.ts";
import type { Exploration, ExplorePlan } from "../../src/domain/exploration.ts";
import { mostEvaluations } from "../../src/domain/exploration.ts";
import { ideasOf, playExploration } from "../support/play-exploration.ts";
import type { Play } from "../support/play-exploration.ts";
import { SEED, share, times } from "../support/proofs.ts";

const SEEDS = Array.from({ length: times({ test: 25, ci: 200, long: 2000 }) }, (_, n) => SEED + n);
const SLOTS = share() === "test" ? [4, 50] : [2, 3, 4, 7, 50];

/** What was tried, what was promoted and what won; not when. */
function promotionsOf({ exploration, winner, why }: ReturnType<typeof playExploration>) {
  const levels = exploration.levels.map(({ depth, evaluations, promoted }) => ({
    depth,
    evaluations,
    promoted,
  }));
  // A strict exploration ends with the first failure that comes: which one is first is a matter of time.
  return { levels, winner, why: exploration.plan.strict ? "" : why };
}

const ways: readonly Partial<ExplorePlan>[] = [
  { depth: 2, beam: 3 },
  { depth: 4, beam: 2, patience: 1 },
  {
    ideas: ideasOf(3),
    depth: 3,
    beam: 20,
    retries: 0,
    score: { name: "size", best: "low", run: "./size.sh", files: [] },
    baseScore: 5,
  },
  { depth: 3, beam: 2, strict: true, retries: 3 },
];

describe("an exploration", () => {
  it.each(ways)("promotes on any number of slots what it promotes on one: %o", (plan) => {
    for (const seed of SEEDS) {
      const serial = promotionsOf(playExploration({ seed, plan, slots: 1 }));
      for (const slots of SLOTS) {
        expect(promotionsOf(playExploration({ seed, plan, slots })), `SEED=${seed}`).toEqual(
          serial,
        );
      }
    }
  });

  it("promotes the same when runs are lost to the world, or held back by its caps", () => {
    for (const seed of SEEDS) {
      const serial = promotionsOf(playExploration({ seed, slots: 1 }));
      const others: readonly Omit<Play, "seed">[] = [
        { slots: 5, lostOneIn: 4 },
        { slots: 8, plan: { parallel: 3 } },
        { slots: 8, plan: { perNode: 2 } },
      ];
      for (const other of others)
        expect(promotionsOf(playExploration({ seed, ...other })), `SEED=${seed}`).toEqual(serial);
    }
  });

  it("keeps to its slots, its own limit and the limit of each node", () => {
    for (const seed of SEEDS) {
      expect(playExploration({ seed, slots: 4 }).atOnce).toBeLessThanOrEqual(4);
      const capped = playExploration({ seed, slots: 9, plan: { parallel: 3, perNode: 2 } });
      expect(capped.atOnce).toBeLessThanOrEqual(3);
      expect(capped.ofNode).toBeLessThanOrEqual(2);
    }
  });

  it("never does an idea on a node twice, and repeats no evaluation that has ended", () => {
    for (const seed of SEEDS) {
      const { exploration, runs } = playExploration({ seed, slots: 4, lostOneIn: 3 });
      const evaluations = evaluationsOf(exploration, runs);
      const pairs = evaluations.map(({ node, idea }) => `${node} ${idea}`);
      expect(new Set(pairs).size).toBe(pairs.length);
      for (const one of evaluations) {
        const good = one.runs.filter(({ outcome }) => outcome?.kind === "succeeded");
        expect(good.length).toBeLessThanOrEqual(1);
        expect(one.runs.at(-1)).toBe(good[0] ?? one.runs.at(-1));
        expect(one.runs.every(({ state }) => state === "finished")).toBe(true);
      }
    }
  });

  it("opens each level only when the one before it is over", () => {
    for (const seed of SEEDS) {
      const { exploration, runs } = playExploration({ seed, slots: 6, plan: { depth: 4 } });
      const evaluations = evaluationsOf(exploration, runs);
      for (const level of exploration.levels.slice(1)) {
        const before = evaluations.filter(({ depth }) => depth === level.depth - 1);
        const last = Math.max(...before.map(({ finishedAt = 0 }) => finishedAt));
        expect(last).toBeLessThanOrEqual(level.openedAt);
      }
    }
  });

  it("is done no slower on more slots, and within the number of evaluations that was announced", () => {
    let [one, five] = [0, 0];
    for (const seed of SEEDS) {
      const serial = playExploration({ seed, slots: 1 });
      one += serial.tookMs;
      five += playExploration({ seed, slots: 5 }).tookMs;
      expect(countOf(serial.exploration)).toBeLessThanOrEqual(mostEvaluations(5, 2, 3));
    }
    expect(one / five).toBeGreaterThan(2);
  });
});

function countOf({ levels }: Exploration): number {
  return levels.reduce((sum, { evaluations }) => sum + evaluations.length, 0);
}
