import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { runningAgents } from "../support/landed-once.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess;
afterEach(async () => {
  await world.signalAgents("go");
  await app.kill();
  await world.close();
});

/** Text that its page shows, among text that it does not. */
const BODY = [
  'Write <b title="> HIDDEN">one</b>. ![HIDDEN](a.png) <?HIDDEN?> $\\phantom{HIDDEN}$',
  "<!-- HIDDEN\n\nHIDDEN -->",
  "[x]: /a\n  'HIDDEN'",
  "[^1]: HIDDEN",
  "Keep it short.",
].join("\n\n");

/** An app whose only run waits for `go`. */
async function startRun(operator: Readonly<Record<string, unknown>>): Promise<void> {
  world = await World.create({
    startApp: false,
    operator: { reconcileEvery: "500ms", ...operator },
  });
  app = new AppProcess(world);
  await app.start();
  const script = { waitFor: ["go"], writes: { "src/one.txt": "one\n" } };
  await world.addTask({ id: "one", files: ["src/one.txt"], script, body: BODY });
  world.moveToReady("one");
  await world.until("it is running", async () => (await world.journal()).length === 1);
}

async function said(): Promise<string> {
  return readFile(world.appLog, "utf8");
}

async function untilSaid(words: string): Promise<void> {
  await world.until(`it says ${words}`, async () => (await said()).includes(words));
}

describe.runIf(process.platform === "linux")("an app that is told to stop", () => {
  it("leaves its runs at work, says so, and they land once after the next start, told what the page shows", async () => {
    await startRun({});
    expect(await app.stop()).toBe(0);
    expect(await said()).toContain("1 run (acme/shop#1) goes on and is taken up at the next start");
    expect((await runningAgents(world)).length).toBeGreaterThan(0);
    await world.signalAgents("go");
    world.approveEverything();
    await app.start();
    await world.untilColumn("Done", "one");
    expect(world.pulls()).toHaveLength(1);
    const prompt = await world.agentFile("one.prompt");
    expect(prompt).toContain("Write one. ![](a.png)");
    expect(prompt).toContain("Keep it short.");
    expect(prompt).not.toContain("HIDDEN");
    await world.until("no process is left", async () => (await runningAgents(world)).length === 0);
  });

  further("waits for its runs when they shall finish, telling for whom", async () => {
    await startRun({ onStop: "finish" });
    app.signal("SIGTERM");
    await untilSaid("stopping: waiting for 1 run (acme/shop#1)");
    await world.signalAgents("go");
    expect(await app.ended()).toBe(0);
    expect(await said()).toContain("stopped: 1 run (acme/shop#1) finished");
    expect(world.pulls()).toHaveLength(1);
  });

  further("waits no longer than it may, then queues them again", async () => {
    await startRun({ onStop: "finish", stopTimeout: "50ms" });
    expect(await app.stop()).toBe(0);
    expect(await said()).toContain("1 run (acme/shop#1) was stopped and is queued again");
    expect(await runningAgents(world)).toEqual([]);
  });

  further("ends at once on a second signal, and nothing is lost by it", async () => {
    await startRun({ onStop: "finish" });
    app.signal("SIGTERM");
    await untilSaid("stopping: waiting for");
    app.signal("SIGTERM");
    expect(await app.ended()).toBe(143);
    await world.signalAgents("go");
    await app.start();
    await world.untilColumn("In review", "one");
    app.signal("SIGINT");
    expect(await app.ended()).toBe(0);
  });
});
