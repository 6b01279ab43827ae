import { expect, it } from "vitest";
import { SimulatedTrain } from "./model/simulated-train.ts";

const CHANGES = 6;

type Method = (...args: readonly unknown[]) => unknown;

/** How often each of the port's methods is called from now on; `asks` tells which calls count. */
function countCalls(
  port: object,
  asks: (args: readonly unknown[]) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, method] of Object.entries(port) as [string, Method][]) {
    const counted: Method = (...args) => {
      if (asks(args)) counts.set(name, (counts.get(name) ?? 0) + 1);
      return method(...args);
    };
    Object.assign(port, { [name]: counted });
  }
  return counts;
}

it("lands a batch of six at the cost of a batch, not of six", async () => {
  const train = new SimulatedTrain(
    {
      changes: Array.from({ length: CHANGES }, (_, file) => ({
        nature: "good",
        file,
        dependsOn: undefined,
        priority: "normal",
      })),
      method: "squash",
      landing: "fast-forward",
      batch: 8,
      window: 1,
      stacked: false,
    },
    60_000,
  );
  const [process] = train.scene.processes;
  if (process === undefined) throw new Error("nobody works");
  // A branch that was asked for in the same pass is not asked for again.
  const git = countCalls(process.deps.git, ([, , since]) => since === undefined);
  const store = countCalls(process.deps.store, () => true);
  const github = countCalls(process.deps.github, () => true);
  await train.run();
  expect(train.scene.invariants.landed).toHaveLength(CHANGES);
  expect(Object.fromEntries(git)).toMatchObject({ fetchBranches: 1, pullHeads: 1, unstage: 1 });
  expect(github.get("updateRefs")).toBe(2);
  // Eight ticks, and twice right before and after the base moves.
  expect(git.get("fetchBranch")).toBeLessThanOrEqual(10);
  expect(store.get("record")).toBeLessThanOrEqual(8);
});
