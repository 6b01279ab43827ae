import { afterEach, describe, expect, it } from "vitest";
import { STAGES } from "../../src/app/stages.ts";
import type { LogLine } from "../support/world-options.ts";
import { World } from "../support/world.ts";

/** The first reading of a tick, and one more after each of two stages that wrote. */
const MAX_READS = 3;

let world: World;
afterEach(() => world.close());

describe("a tick", () => {
  it("reads the store once, and again only after it wrote, from Ready over a review to landed", async () => {
    const ticks: LogLine[] = [];
    world = await World.create({
      operator: { reconcileEvery: "500ms" },
      repository: { feedback: { quiet: "50ms" } },
      onLog: (line) => {
        if (line.msg === "tick finished") ticks.push(line);
      },
    });
    const attempts = { 2: { writes: { "src/greet.txt": "bonjour\n" } } };
    const script = { writes: { "src/greet.txt": "hello\n" }, attempts };
    await world.addTask({ id: "greet", files: ["src/greet.txt"], script });
    world.moveToReady("greet");
    await world.untilColumn("In review", "greet");
    world.github.as("ann").comment(world.issue("greet"), "/plan");
    world.github.as("bob").requestChanges(world.pull("greet"), "In French, please.");
    await world.until("it was revised", async () => (await world.attemptsOf("greet")).length === 2);
    await world.untilColumn("In review", "greet");
    await world.settle();
    world.github.as("bob").approve(world.pull("greet"));
    await world.untilColumn("Done", "greet");
    await world.settle();

    const lanes = new Set(ticks.map(({ lane }) => lane));
    expect(lanes).toEqual(new Set(STAGES.map(({ lane }) => lane)));
    expect(ticks.filter(({ reads }) => Number(reads) > MAX_READS)).toEqual([]);
    const quiet = ticks.filter(({ lane, reads }) => lane === "look" && reads === 1);
    expect(quiet.length).toBeGreaterThan(0);
  });
});
