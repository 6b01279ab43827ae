import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProcesses } from "../../src/adapters/process.ts";
import type { CommandRequest } from "../../src/ports/processes.ts";

const AGENTS = resolve(import.meta.dirname, "../support/fake-agents");

let folder: string;
let logPath: string;
const processes = createProcesses({ graceMs: 200 });

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "wavetrain-process-")));
  logPath = join(folder, "logs", "run.log");
  await mkdir(join(folder, "work"));
});
afterEach(async () => {
  const left = (await pidsOf()).filter(isAlive);
  for (const pid of left) process.kill(pid, "SIGKILL");
  await rm(folder, { recursive: true });
  expect(left).toEqual([]);
});

function request(command: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    id: "command",
    command: ["/bin/sh", "-c", command],
    cwd: join(folder, "work"),
    env: { PATH: process.env["PATH"] ?? "", WAVETRAIN_RUN_ID: `test-${folder}` },
    stdin: "",
    logPath,
    limits: { wallMs: 20_000, maxLogBytes: 1 << 20 },
    signal: new AbortController().signal,
    ...more,
  };
}

const agent = (name: string): string => `exec '${process.execPath}' '${AGENTS}/${name}'`;
const bare = (name: string, args: string): string =>
  `'${process.execPath}' '${AGENTS}/${name}' ${args}`;

async function pidsOf(): Promise<readonly number[]> {
  const text = await readFile(join(folder, "work", "pids"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}

/** A zombie is not alive: it only waits for its parent to look. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

const log = (): Promise<string> => readFile(logPath, "utf8");

describe("run", () => {
  it("gives the command its input, its environment and nothing else, and logs both streams in order", async () => {
    const command = 'read line; echo "$line"; echo err >&2; echo "[$HOME$SECRET]$GIVEN"';
    const env = { ...request("").env, GIVEN: "given" };
    process.env["SECRET"] = "leak";
    const end = await processes.run(request(command, { stdin: "hello\nworld\n", env }));
    delete process.env["SECRET"];
    expect(end).toEqual({ kind: "exited", code: 0 });
    expect(await log()).toBe("hello\nerr\n[]given\n");
  });

  it("leaves no copy of the input behind", async () => {
    await processes.run(request("cat", { stdin: "the task" }));
    expect(await readdir(join(folder, "logs"))).toEqual(["run.log"]);
  });

  it("gives an input of megabytes, and an end of input when there is none", async () => {
    await processes.run(request("cat; wc -c", { stdin: "x".repeat(500_000) }));
    expect((await stat(logPath)).size).toBe(500_002);
  });

  it("appends to the log", async () => {
    await processes.run(request("echo one"));
    await processes.run(request("echo two"));
    expect(await log()).toBe("one\ntwo\n");
  });

  it("tells an exit code from a signal", async () => {
    expect(await processes.run(request("exit 7"))).toEqual({ kind: "exited", code: 7 });
    const killed = await processes.run(request("kill -KILL $$"));
    expect(killed).toEqual({ kind: "killed", signal: "SIGKILL" });
  });

  it("says that a command could not be started when its folder is missing", async () => {
    const start = processes.run(request("true", { cwd: join(folder, "nowhere") }));
    await expect(start).rejects.toMatchObject({ code: "process-failed" });
  });

  it("interrupts first: a command that tidies up gets its time", async () => {
    const command = "trap 'echo tidied; exit 3' INT; echo ready; while :; do sleep 0.05; done";
    const abort = new AbortController();
    const running = createProcesses().run(request(command, { signal: abort.signal }));
    await vi.waitFor(async () => expect(await log()).toBe("ready\n"));
    abort.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(await log()).toBe("ready\ntidied\n");
  });

  it("starts nothing when it is cancelled already", async () => {
    const end = await processes.run(request("echo ran", { signal: AbortSignal.abort() }));
    expect(end).toEqual({ kind: "cancelled" });
    await expect(log()).rejects.toThrow();
  });

  it("ends what ignores every polite signal when its time is over", async () => {
    const running = processes.run(
      request(agent("ignores-signals.mjs"), { limits: { wallMs: 1000, maxLogBytes: 1 << 20 } }),
    );
    expect(await running).toEqual({ kind: "timed-out" });
    expect(await pidsOf()).toHaveLength(2);
  });

  it("ends a daemon that left the session and whose parents are gone", async () => {
    const command = `${bare("leaves-session.mjs", "marked")}; until test -s pids; do sleep 0.05; done`;
    expect(await processes.run(request(command))).toEqual({ kind: "exited", code: 0 });
    expect(await pidsOf()).toHaveLength(1);
  });

  it("ends a daemon that also cleared its environment once it was seen at work", async () => {
    const command = `${bare("leaves-session.mjs", "bare")}; sleep 1.5; test -s pids`;
    expect(await processes.run(request(command))).toEqual({ kind: "exited", code: 0 });
    expect(await pidsOf()).toHaveLength(1);
  });

  it("ends a server that was left running, although the command ended well", async () => {
    expect(await processes.run(request(agent("leaves-server.mjs")))).toEqual({
      kind: "exited",
      code: 0,
    });
    expect(await log()).toBe("done\n");
    expect(await pidsOf()).toHaveLength(1);
  });

  it("ends processes that replace themselves by new ones", async () => {
    const abort = new AbortController();
    const running = processes.run(request(agent("keeps-forking.mjs"), { signal: abort.signal }));
    await vi.waitFor(async () => expect((await pidsOf()).length).toBeGreaterThan(3), 10_000);
    abort.abort();
    const end = await running;
    expect(["cancelled", "exited"]).toContain(end.kind);
  });

  it("stops a flood of output and keeps the log within its limit", async () => {
    const end = await processes.run(
      request(agent("floods-output.mjs"), { limits: { wallMs: 20_000, maxLogBytes: 100_000 } }),
    );
    expect(end).toEqual({ kind: "output-limit" });
    expect((await stat(logPath)).size).toBe(100_000);
  });

  it("leaves a neighbour alone", async () => {
    const abort = new AbortController();
    const env = { ...request("").env, WAVETRAIN_RUN_ID: "neighbour" };
    const neighbour = processes.run(
      request("echo $$ >> pids; sleep 60", { env, signal: abort.signal, logPath: `${logPath}2` }),
    );
    await vi.waitFor(async () => expect(await pidsOf()).toHaveLength(1));
    await processes.run(request("true"));
    expect((await pidsOf()).every(isAlive)).toBe(true);
    abort.abort();
    expect(await neighbour).toEqual({ kind: "cancelled" });
  });
});

describe("reap", () => {
  it("ends what an earlier life of the program left running, by the run's marker alone", async () => {
    const env = { ...request("").env, WAVETRAIN_RUN_ID: "earlier" };
    spawn("sh", ["-c", "echo $$ >> pids; sleep 60 & sleep 61"], {
      cwd: join(folder, "work"),
      env,
      detached: true,
      stdio: "ignore",
    });
    await vi.waitFor(async () => expect(await pidsOf()).toHaveLength(1));
    await processes.reap("another");
    expect((await pidsOf()).every(isAlive)).toBe(true);
    await processes.reap("earlier");
    expect((await pidsOf()).some(isAlive)).toBe(false);
  });
});

describe("tail", () => {
  it("gives the last bytes, cut between characters", async () => {
    await processes.run(request("printf 'x%s' 'ää'"));
    expect(await processes.tail(logPath, 100)).toBe("xää");
    expect(await processes.tail(logPath, 3)).toBe("ä");
  });
});
