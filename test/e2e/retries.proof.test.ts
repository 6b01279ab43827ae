import { afterEach, describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { further } from "../support/further.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

/** It says something, writes the file of its attempt, and the first attempt then hangs until it is stopped. */
const SLOW = `
cat > "$AGENT_DIR/prompt.$WAVETRAIN_ATTEMPT"
mkdir -p src/page
echo x > "src/page/$WAVETRAIN_ATTEMPT.txt"
echo "half of it is done"
: > "$AGENT_DIR/page.started"
test "$WAVETRAIN_ATTEMPT" -gt 1 || sleep 600
`;

async function begin(options: WorldOptions): Promise<void> {
  world = await World.create(options);
  await world.addTask({
    id: "page",
    files: ["src/page/**"],
    script: {
      attempts: {
        1: { writes: { "src/page/1.txt": "x" } },
        2: { writes: { "src/page/2.txt": "x" } },
      },
    },
  });
  world.moveToReady("page");
}

async function change(): Promise<readonly string[]> {
  await world.untilColumn("In review", "page");
  const { headRef } = world.pull("page");
  return (await world.git("diff", "--name-only", `main...${headRef}`)).split("\n").filter(Boolean);
}

async function runs(): Promise<readonly Run[]> {
  return (await world.app.store.readRepo(world.repo)).runs;
}

describe("a further attempt", () => {
  it("goes on with its own work after a failed verify, in the same folder, without what the verification wrote", async () => {
    const verify = "echo x > report.txt; test -f src/page/1.txt && test -f src/page/2.txt";
    await begin({ repository: { verify } });
    expect(await change()).toEqual(["src/page/1.txt", "src/page/2.txt"]);
    expect(await world.agentFile("page.2.prompt")).toContain(
      "What the attempt before changed is in the files, not committed",
    );
    const [first, second] = await runs();
    expect(first?.outcome?.kind).toBe("verify-failed");
    expect(second?.workspace).toBe(first?.workspace);
  });

  it("starts from the base where the repository wants it fresh", async () => {
    const verify = "test -f src/page/2.txt";
    await begin({ repository: { verify, retry: "fresh" } });
    expect(await change()).toEqual(["src/page/2.txt"]);
    expect(await world.agentFile("page.2.prompt")).not.toContain("is in the files");
  });

  further("goes on after one that was stopped, and knows what that one said last", async () => {
    const runner = { command: SLOW, env: ["AGENT_DIR"] };
    await begin({
      operator: { runners: { slow: runner } },
      repository: { timeouts: { run: "1s" } },
    });
    expect(await change()).toEqual(["src/page/1.txt", "src/page/2.txt"]);
    const [first] = await runs();
    expect(first?.outcome).toMatchObject({ kind: "timed-out", notes: "half of it is done\n" });
    expect(await world.agentFile("prompt.2")).toContain("half of it is done");
  });

  further(
    "starts afresh when a person cancelled and asks again at once, and waits until the folder is free",
    async () => {
      await begin({ operator: { runners: { slow: { command: SLOW, env: ["AGENT_DIR"] } } } });
      await world.until("it is at work", () =>
        world.agentFile("page.started").then(
          () => true,
          () => false,
        ),
      );
      const ann = world.github.as("ann");
      ann.comment(world.issue("page"), "/cancel");
      await world.until("it ended", async () => (await world.taskState("page")) === "cancelled");
      ann.comment(world.issue("page"), "/retry");
      expect(await change()).toEqual(["src/page/2.txt"]);
      const [first, second] = await runs();
      expect(first?.outcome).toMatchObject({ kind: "cancelled", notes: "half of it is done\n" });
      expect(second?.workspace).toBe(first?.workspace);
    },
  );
});
