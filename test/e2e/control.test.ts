import { stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readControlFile } from "../../src/control/control-file.ts";
import type { Status } from "../../src/control/get-status.ts";
import type { RecordedEvent } from "../../src/ports/store.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { World } from "../support/world.ts";

let world: World;
let dataDir: string;
let bundle: string;
beforeAll(async () => {
  world = await World.create();
  bundle = await bundledApp();
  dataDir = join(world.folder, "app");
  world.approveEverything();
  await world.addTask({ id: "one", files: ["src/one.txt"] });
  world.moveToReady("one");
  await world.untilColumn("Done", "one");
  await world.settle();
});
afterAll(() => world.close());

async function address() {
  const found = await readControlFile(dataDir);
  if (found === undefined) throw new Error("there is no control file");
  return found;
}

async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { url, token } = await address();
  return fetch(`${url}/wavetrain/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

/** fetch does not let anyone choose the Host. */
async function statusUnderName(host: string): Promise<number | undefined> {
  const { url, token } = await address();
  const headers = { host, authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/wavetrain/status`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once("error", reject);
    sent.end();
  });
}

function run(...args: readonly string[]) {
  const env = { WAVETRAIN_DATA_DIR: "", WAVETRAIN_CONFIG: "" };
  return execa("node", [bundle, ...args], { reject: false, env });
}

describe("the control interface", () => {
  it("is opened by a token that only the operator can read", async () => {
    expect((await stat(join(dataDir, "control.json"))).mode & 0o777).toBe(0o600);
    expect((await ask("status")).status).toBe(200);
    expect((await ask("status", { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await ask("status", { authorization: "" })).status).toBe(401);
  });

  it("is not served under another name", async () => {
    expect(await statusUnderName("evil.example")).toBe(403);
    expect(await statusUnderName("localhost")).toBe(200);
  });

  it("says what it does not have", async () => {
    expect((await ask("nothing")).status).toBe(404);
    expect((await ask("events?after=x")).status).toBe(400);
  });

  it("shows tasks with their reasons, runs, train and runners", async () => {
    const status = (await (await ask("status")).json()) as Status;
    const idle = { name: "agent", slots: 8, waiting: 0, busy: 0, free: 8 };
    expect(status.runners).toMatchObject([idle]);
    expect(status.runners[0]?.utilization).toBeGreaterThan(0);
    expect(status.repositories).toMatchObject([
      { repo: "acme/shop", runs: [], entries: [], tasks: [{ title: "Task one", state: "landed" }] },
    ]);
    expect(status.repositories[0]?.tasks[0]?.reason).toMatch(/\w{3}/);
  });

  it("gives events from a place on, as many as asked for", async () => {
    const all = (await (await ask("events")).text()).trim().split("\n");
    expect(all.length).toBeGreaterThan(5);
    const some = (await (await ask("events?after=2&limit=2")).text()).trim().split("\n");
    expect(some).toEqual(all.slice(2, 4));
    expect((JSON.parse(all[0] ?? "") as RecordedEvent).change.kind).toBe("task-added");
    expect(await (await ask("events?repo=acme/other")).text()).toBe("");
  });

  it("tells followers of new events until the app stops", async () => {
    const all = (await (await ask("events")).text()).trim().split("\n");
    const response = await ask(`events?follow=1&after=${all.length}`);
    await world.addTask({ id: "two", files: ["src/two.txt"] });
    world.moveToReady("two");
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value as Uint8Array).toString()).toContain("task-added");
    await world.untilColumn("Done", "two");
    await world.settle();
    await world.stopApp();
    while (!(await reader.read()).done);
    await world.startApp();
  });
});

describe("the command line", () => {
  it("asks the running server", async () => {
    const status = await run("status", "--data-dir", dataDir);
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toContain("Task one");
    const events = await run("events", "--data-dir", dataDir, "--json", "--after", "1");
    expect(events.stderr).toBe("");
    const [first = ""] = events.stdout.split("\n");
    expect((JSON.parse(first) as RecordedEvent).seq).toBe(2);
    const verified = await run("events", "--data-dir", dataDir, "--verify");
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.stdout).toMatch(/^\d+ events, unbroken/);
  });

  it("reads the store when the server is stopped, and says so", async () => {
    await world.stopApp();
    const events = await run("events", "--data-dir", dataDir, "--repo", "acme/shop");
    expect(events).toMatchObject({
      exitCode: 0,
      stderr: "no server is running: read from its store",
    });
    expect(events.stdout).toContain("acme/shop#1  task-added");
    const status = await run("status", "--data-dir", dataDir);
    expect(status.exitCode).toBe(1);
    expect(status.stderr).toContain("no server is running on");
    await world.startApp();
  });

  it("names a wrong folder and a damaged store", async () => {
    const wrong = await run("events", "--data-dir", join(world.folder, "nowhere"));
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("no such folder");
    const empty = await run("events", "--data-dir", world.folder);
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toContain("there is no store in");
    await world.stopApp();
    await writeFile(
      join(dataDir, "store", "wavetrain.db"),
      "not a database, but long enough to be looked at",
    );
    const damaged = await run("events", "--data-dir", dataDir, "--verify");
    expect(damaged.exitCode).toBe(1);
    expect(damaged.stderr).toContain("damaged");
  });

  it("knows its version and helps with examples", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+$/);
    for (const command of ["start", "status", "events"]) {
      const help = await run(command, "--help");
      expect(help.stdout).toMatch(/Examples:|Exit code/);
    }
  });
});
