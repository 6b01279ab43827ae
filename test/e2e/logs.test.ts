import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogPlace } from "../../src/control/get-logs.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { World } from "../support/world.ts";

let world: World;
let bundle: string;
beforeAll(async () => {
  world = await World.create({
    repository: { verify: "echo verified; test -f README.md", setup: "echo set up" },
  });
  bundle = await bundledApp();
});
afterAll(() => world.close());

function logs(...args: readonly string[]) {
  const folder = ["--data-dir", join(world.folder, "app")];
  return execa("node", [bundle, "logs", ...args, ...folder], { reject: false });
}

const number = (id: string): string => String(world.issue(id).number);

describe("wavetrain logs", () => {
  it("prints what the latest run printed, agent and verification, and earlier attempts when asked", async () => {
    await world.addTask({
      id: "twice",
      files: ["src/twice.txt"],
      script: { writes: { "src/twice.txt": "x" }, failures: 1, says: "\u001b[31mat work\u001b[0m" },
    });
    world.moveToReady("twice");
    await world.untilColumn("In review", "twice");

    const latest = await logs(number("twice"));
    expect(latest.exitCode).toBe(0);
    expect(latest.stdout.split("\n")).toEqual(["set up", "at work", "verified"]);
    expect(latest.stderr.split("\n")).toEqual([
      `-- acme/shop#${number("twice")}, attempt 2 with agent`,
      expect.stringMatching(/^-- attempt 2 ended after \d+ s: succeeded$/),
    ]);
    const first = await logs(`acme/shop#${number("twice")}`, "--attempt", "1");
    expect(first.stdout).not.toContain("verified");
    expect(first.stderr).toContain("attempt 1 ended");

    const place = JSON.parse((await logs("twice", "--json")).stdout) as LogPlace;
    expect(place).toMatchObject({
      task: `acme/shop#${number("twice")}`,
      state: "review",
      run: { attempt: 2, runner: "agent", state: "finished", outcome: "succeeded" },
      runs: [{ attempt: 1 }, { attempt: 2 }],
    });
    const raw = await logs("twice", "--run", place.runs[1]?.id ?? "", "--raw");
    expect(raw.stdout).toContain("\u001b[31mat work");
    const bytes = await readFile(place.run?.path ?? "", "utf8");
    expect(`${raw.stdout}\n`).toBe(bytes);
    expect(place.run?.size).toBe(Buffer.byteLength(bytes));

    await rm(place.run?.path ?? "");
    const gone = await logs("twice");
    expect(gone.exitCode).toBe(1);
    expect(gone.stderr).toContain(`there is no log of attempt 2 of acme/shop#${number("twice")}`);
    expect(gone.stderr).toContain("keepLogsFor");
    expect((await logs("twice", "-f")).stderr).toContain(gone.stderr);
  });

  it("follows a run until it ends, and goes on with the next attempt", async () => {
    const attempts = { 1: { waitFor: ["first"] }, 2: { waitFor: ["second"], says: "better" } };
    await world.addTask({
      id: "long",
      files: ["src/long.txt"],
      script: { writes: { "src/long.txt": "x" }, failures: 1, says: "failed", attempts },
    });
    world.moveToReady("long");
    await world.until("it runs", async () => (await world.taskState("long")) === "running");
    const following = logs("long", "--follow");
    let seen = "";
    following.stdout.on("data", (text) => (seen += String(text)));
    following.stderr.on("data", (text) => (seen += String(text)));
    await world.until("the beginning is printed", () => seen.includes("set up"));
    expect(seen).not.toContain("failed");
    await world.signalAgents("first");
    await world.until("the next attempt is printed", () => seen.includes("attempt 2 with agent"));
    await world.signalAgents("second");
    const { exitCode, stdout } = await following;
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual(["set up", "failed", "set up", "better", "verified"]);
  });

  it("says why there is nothing to print", async () => {
    await world.addTask({ id: "early", files: ["src/early.txt"] });
    await world.addTask({ id: "late", files: ["src/late.txt"], dependsOn: ["early"] });
    world.moveToReady("late");
    await world.until("it is known", async () => (await world.taskState("late")) !== undefined);
    const answer = async (...args: readonly string[]) => {
      const { exitCode, stdout, stderr } = await logs(...args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      return stderr;
    };
    expect(await answer(number("late"))).toMatch(
      new RegExp(`acme/shop#${number("late")} has no run yet; it is \\w+: .*#${number("early")}`),
    );
    expect(await answer("late", "--attempt", "3")).toContain("has no attempt 3; it had none yet");
    expect(await answer("late", "--run", "x")).toContain(`has no run "x"`);
    expect(await answer("4711")).toContain("acme/shop#4711 is no task");
    expect(await answer("nobody")).toContain(`there is no task "nobody" in acme/shop`);
    expect(await answer("acme/other#1")).toContain("acme/other is not watched");
    expect((await logs("a b")).exitCode).toBe(2);

    const folder = join(world.folder, "agent");
    const alone = await execa("node", [bundle, "logs", "1", "--data-dir", folder], {
      reject: false,
    });
    expect(alone.exitCode).toBe(1);
    expect(alone.stderr).toContain(`no server is running on ${folder}`);
  });
});
