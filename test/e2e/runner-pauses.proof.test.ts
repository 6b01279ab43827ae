import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import type { RunnersAnswer } from "../../src/control/runners-routes.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further } from "../support/further.ts";
import { AGENT_RUNNER } from "../support/world-options.ts";
import { World } from "../support/world.ts";

/** It is logged in once somebody has put a key into its folder. */
const COMMAND = `if [ -e "$AGENT_DIR/key" ]; then ${AGENT_RUNNER.command}; else echo "the key was refused: sk-0123456789abcdef0123"; echo "wavetrain: not logged in"; exit 77; fi`;

let world: World;
afterEach(() => world.close());

async function createWorld(): Promise<void> {
  world = await World.create({
    operator: { runners: { agent: { ...AGENT_RUNNER, command: COMMAND, slots: 1 } } },
  });
  await world.addTasks([
    { id: "one", files: ["src/one.txt"] },
    { id: "two", files: ["src/two.txt"] },
  ]);
  world.moveToReady("one", "two");
  await world.untilColumn("Blocked", "one");
  await world.settle();
}

async function run(...args: readonly string[]) {
  const dataDir = ["--data-dir", join(world.folder, "app")];
  const env = { WAVETRAIN_DATA_DIR: "", WAVETRAIN_CONFIG: "" };
  return execa("node", [await bundledApp(), ...args, ...dataDir], { reject: false, env });
}

const logIn = () => writeFile(join(world.agentFolder, "key"), "");

describe("a runner that is not logged in", () => {
  it("is not tried again, and the issue, the status and the command line say why", async () => {
    await createWorld();

    const comment = world.comments("one")[0] ?? "";
    expect(comment).toContain("the runner agent is not logged in");
    expect(comment).toContain("Attempt 1 of");
    expect(comment).toContain("the key was refused: [hidden]");
    expect(comment).not.toContain(world.folder);

    const { repositories, notices } = await world.status();
    expect(repositories[0]?.tasks).toMatchObject([
      {
        state: "failed",
        attempts: 1,
        lastRun: {
          outcome: "not-logged-in",
          tail: ["the key was refused: [hidden]", "wavetrain: not logged in"],
          logPath: expect.stringMatching(/acme\.shop\.1\.1\.log$/) as string,
        },
      },
      { state: "waiting", attempts: 0, reason: expect.stringContaining("is paused") as string },
    ]);
    expect(notices).toEqual([expect.stringContaining("runner agent takes nothing")]);

    const { stdout } = await run("status");
    expect(stdout).toMatch(/#1: the last run of agent ended as not-logged-in; log: \/.*\.log/);
    expect(stdout).toContain("  | the key was refused: [hidden]");
  });

  further("is lifted by `wavetrain runners lift`, and takes the tasks that waited", async () => {
    await createWorld();
    const shown = await run("runners");
    expect(shown.stdout).toMatch(
      /agent\s+0\/1\s+paused since .* until somebody lifts it: it is not/,
    );
    expect(shown.stdout).toContain("  | the key was refused: [hidden]");
    const { runners } = JSON.parse((await run("runners", "--json")).stdout) as RunnersAnswer;
    expect(runners).toMatchObject([{ name: "agent", slots: 1, busy: 0, paused: { until: null } }]);

    await logIn();
    const lifted = await run("runners", "lift", "agent");
    expect([lifted.exitCode, lifted.stderr]).toEqual([0, ""]);
    await world.untilColumn("In review", "two");
    expect((await world.status()).notices).toEqual([]);

    const again = await run("runners", "lift", "agent");
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("is not paused")]);
    const other = await run("runners", "lift", "nobody");
    expect([other.exitCode, other.stderr]).toEqual([
      1,
      expect.stringContaining("no runner nobody"),
    ]);
  });

  further("is lifted by /retry, and by another definition of it at the next start", async () => {
    await createWorld();
    world.github.as("ann").comment(world.issue("two"), "/retry");
    await world.untilColumn("Blocked", "two");
    await world.addTask({ id: "three", files: ["src/three.txt"], column: "Ready" });
    await world.settle();

    await logIn();
    await world.stopApp();
    const runners = { agent: { ...AGENT_RUNNER, command: `${COMMAND} # with a key`, slots: 1 } };
    const server = await world.startServer({ runners });
    try {
      world.github.setWebhookUrl(server.webhookUrl);
      await world.untilColumn("In review", "three");
    } finally {
      await server.stop("stop");
    }
  });
});
