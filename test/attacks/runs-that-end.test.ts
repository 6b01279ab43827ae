import { spawnSync } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createSandbox } from "../../src/adapters/sandbox/create-sandbox.ts";
import { probePidNamespace } from "../../src/adapters/sandbox/pid-namespace.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { CommandLimits, CommandRequest } from "../../src/ports/processes.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { limits, useCommandBench } from "../support/command-bench.ts";
import { bubblewrapWorks, pidNamespace } from "../support/installed.ts";

const NAMESPACE = await pidNamespace();
const BUBBLEWRAP = await bubblewrapWorks();
const bench = useCommandBench();
const WELL = { kind: "exited", code: 0 };

/** A shell command in what the operator wants, as a run would have it. */
async function request(
  command: string,
  settings: Readonly<Record<string, unknown>>,
  more: Partial<CommandRequest> = {},
): Promise<CommandRequest> {
  const sandbox = await sandboxWith(settings);
  const view = {
    workspace: bench.work,
    home: bench.work,
    tmp: bench.work,
    readable: [],
    marker: bench.marker,
    variables: {},
    network: "open" as const,
    gate: "",
  };
  return bench.request("", {
    command: sandbox.wrap(["/bin/sh", "-c", command], view),
    ...more,
  });
}

function sandboxWith(settings: Readonly<Record<string, unknown>>): Promise<Sandbox> {
  const runners = { a: { command: "a" } };
  const operator = operatorConfigSchema.parse({ runners, dataDir: bench.runs, ...settings });
  return createSandbox({ operator, environment: process.env });
}

const SHARED = { sandbox: "none", pidNamespace: "none" };
const OWN = { sandbox: "none" };

/** Leaves the session, its parents and its environment, faster than anybody looks. */
const HIDE = `env -i setsid /bin/sh -c '/bin/sleep 300 </dev/null >/dev/null 2>&1 &'`;

/** What follows must never be tried where the first process is the machine's. */
const INSIDE_ONLY = "grep -q wavetrain-init /proc/1/cmdline || exit 77";

describe.skipIf(NAMESPACE === undefined)("10: what a command leaves running", () => {
  it("ends with it, whatever it did to hide, also without a sandbox", async () => {
    expect(await bench.processes.run(await request(HIDE, OWN))).toEqual(WELL);
    expect(await bench.inFolder()).toEqual([]);
  });

  it("ends with it in a user namespace, too, which is what others than root get", async () => {
    const probed = await probePidNamespace(process.env.PATH ?? "", false);
    if (!probed.ok) throw new Error(probed.error);
    expect(probed.value.kind).toBe("user-namespace");
    const command = probed.value.wrap(["/bin/sh", "-c", `id -u; touch made; ${HIDE}`]);
    expect(await bench.processes.run(bench.request("", { command }))).toEqual(WELL);
    expect(await bench.inFolder()).toEqual([]);
    expect(await bench.log()).toBe(`${process.getuid?.()}\n`);
    expect((await stat(join(bench.work, "made"))).uid).toBe(process.getuid?.());
  });

  it("outlives it only where the operator does without a namespace", async () => {
    expect(await bench.processes.run(await request(HIDE, SHARED))).toEqual(WELL);
    const left = await bench.inFolder();
    expect(left).toHaveLength(1);
    for (const pid of left) process.kill(pid, "SIGKILL");
    await vi.waitFor(async () => expect(await bench.inFolder()).toEqual([]), 60_000);
  });

  it("ends with one that is stopped, and counts while it runs", async () => {
    const stop = new AbortController();
    const signal = stop.signal;
    const hidden = Array.from({ length: 3 }, () => HIDE).join("; ");
    const running = bench.processes.run(
      await request(`${hidden}; echo hidden; sleep 300`, OWN, { signal }),
    );
    await vi.waitFor(async () => expect(await bench.log()).toBe("hidden\n"), 60_000);
    stop.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(await bench.inFolder()).toEqual([]);
    const many = Array.from({ length: 30 }, () => HIDE).join("; ");
    const busy = await request(`${many}; sleep 300`, OWN, {
      id: "many",
      limits: limits({ maxProcesses: 20 }),
    });
    expect(await bench.processes.run(busy)).toEqual({ kind: "process-limit" });
    expect(await bench.inFolder()).toEqual([]);
  });

  it("has numbers of its own, and a first process that takes in orphans and dies of no signal from inside", async () => {
    const orphan = "sh -c 'sleep 0.1 & exec true'; sleep 0.5";
    const zombies = "ps -eo stat= | grep -c Z";
    const signals = "kill -KILL 1; kill -TERM 1; kill -INT 1";
    const script = `${INSIDE_ONLY}\necho $$; ${signals}; ${orphan}; ${zombies}`;
    await bench.processes.run(await request(script, OWN));
    expect(await bench.log()).toBe("2\n0\n");
  });

  it("can be interrupted, and what it says then is heard", async () => {
    const stop = new AbortController();
    const script = "trap 'echo tidied; exit 3' INT; echo ready; while :; do sleep 0.05; done";
    const running = bench.processes.run(await request(script, OWN, { signal: stop.signal }));
    await vi.waitFor(async () => expect(await bench.log()).toBe("ready\n"), 60_000);
    stop.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(await bench.log()).toBe("ready\ntidied\n");
  });
});

describe("11: what a run takes of the disk", () => {
  const GB = 2 ** 30;
  const MB = 2 ** 20;
  const within = (maxBytes: number, areFresh = false): CommandLimits =>
    limits({ disk: { folders: [bench.work], maxBytes, areFresh } });
  const run = (command: string, maxBytes: number) =>
    bench.processes.run(bench.request(command, { limits: within(maxBytes) }));
  const sparse = "for n in 1 2 3 4 5 6 7 8 9 10; do truncate -s 3G $n; done";

  it("ends it at ten sparse files of 3 GB, while it works and when it has ended already", async () => {
    const limit = { kind: "disk-limit", limitBytes: 10 * GB };
    expect(await run(`${sparse}; sleep 300`, 10 * GB)).toEqual(limit);
    await bench.processes.forget("command");
    expect(await run("true", 10 * GB)).toEqual(limit);
  });

  it.each([
    ["real bytes", "head -c 6000000 /dev/zero > a; head -c 6000000 /dev/zero > b"],
    ["many small files", "for n in $(seq 4000); do : > $n; done"],
    [
      "folders below folders",
      "for n in $(seq 40); do mkdir d; cd d; : > f; head -c 300000 /dev/zero > f; done",
    ],
  ])("counts %s", async (_, command) => {
    expect(await run(`${command}; sleep 300`, 10 * MB)).toMatchObject({ kind: "disk-limit" });
  });

  it("counts what is below a path that is too long to be named as too much", async () => {
    const name = "n".repeat(200);
    const deep = `for n in $(seq 30); do mkdir ${name}; cd -P ${name} || exit 1; done; sleep 300`;
    const end = await run(deep.replace("cd -P", "cd"), 10 * MB);
    spawnSync("rm", ["-rf", join(bench.work, name)]);
    expect(end).toMatchObject({ kind: "disk-limit" });
  });

  it("counts a file with many names once, follows no link, and is not put off by what goes away", async () => {
    const links = "head -c 6000000 /dev/zero > a; for n in $(seq 20); do ln a l$n; done";
    const elsewhere = "ln -s / root; ln -s . loop";
    const busy = "for n in $(seq 300); do mkdir -p d/e; : > d/e/f; rm -r d; done";
    expect(await run(`${links}; ${elsewhere}; ${busy}; sleep 1.5`, 10 * MB)).toEqual(WELL);
  });

  it("starts nothing where there is too much before, and says so", async () => {
    await writeFile(join(bench.work, "large"), Buffer.alloc(2 * MB));
    const fresh = bench.request("echo ran", { limits: within(MB, true) });
    expect(await bench.processes.run(fresh)).toEqual({
      kind: "disk-limit",
      limitBytes: MB,
      fresh: true,
    });
    await expect(bench.log()).rejects.toThrow();
  });
});

/** Kills all that it can reach. */
const KILL_ALL = `${INSIDE_ONLY}
kill -KILL -1; kill -KILL 1; kill -KILL 0; kill -KILL $$`;

describe("14: an agent that kills all around it", () => {
  it("vanishes where it reaches its supervision, and nothing is left", async () => {
    const script = "sleep 300 & setsid sleep 300 & kill -KILL $PPID; sleep 300";
    const end = await bench.processes.run(await request(script, SHARED));
    expect(end).toEqual({ kind: "vanished" });
    expect(await bench.processes.stateOf("command")).toBe("ended");
    expect(await bench.inFolder()).toEqual([]);
  });

  it("vanishes with its whole group", async () => {
    const end = await bench.processes.run(await request("kill -KILL 0", SHARED));
    expect(end).toEqual({ kind: "vanished" });
  });

  it.skipIf(NAMESPACE === undefined)("only kills itself in a namespace", async () => {
    const end = await bench.processes.run(await request(KILL_ALL, OWN));
    expect(end).toEqual({ kind: "killed", signal: "SIGKILL" });
    expect(await bench.inFolder()).toEqual([]);
  });

  it.skipIf(!BUBBLEWRAP)("only kills itself in bubblewrap", async () => {
    const inside = "test $$ -lt 9 || exit 77; kill -KILL 0";
    const end = await bench.processes.run(await request(inside, { sandbox: "bubblewrap" }));
    expect(end).toEqual({ kind: "killed", signal: "SIGKILL" });
  });
});
