import { spawn, spawnSync } from "node:child_process";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createProcesses } from "../../../src/adapters/process/create-processes.ts";
import { isAlive, useCommandBench } from "../../support/command-bench.ts";

const SANDBOXED = ["--ro-bind", "/", "/", "--unshare-pid", "true"];
const HAS_BUBBLEWRAP = spawnSync("bwrap", SANDBOXED).status === 0;
const bench = useCommandBench();

describe("run", () => {
  it("gives the command its input, its environment and nothing else, and logs both streams in order", async () => {
    const command = 'read line; echo "$line"; echo err >&2; echo "[$HOME$SECRET]$GIVEN"';
    const env = { ...bench.request("").env, GIVEN: "given" };
    process.env["SECRET"] = "leak";
    const end = await bench.processes.run(bench.request(command, { stdin: "hello\nworld\n", env }));
    delete process.env["SECRET"];
    expect(end).toEqual({ kind: "exited", code: 0 });
    expect(await bench.log()).toBe("hello\nerr\n[]given\n");
  });

  it("gives every word of the command as it is", async () => {
    const command = ["printf", "%s|", "a b", "$HOME", "'", "", "*"];
    await bench.processes.run(bench.request("", { command }));
    expect(await bench.log()).toBe("a b|$HOME|'||*|");
  });

  it("writes down what it runs for its owner's eyes only, and no value of the environment", async () => {
    const env = { ...bench.request("").env, KEY: "sesame" };
    await bench.processes.run(bench.request("true", { env }));
    const folder = join(bench.runs, "command");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    expect(texts.join()).toContain('"KEY"');
    expect(texts.join()).not.toContain("sesame");
  });

  it("gives an input of megabytes, and an end of input when there is none", async () => {
    await bench.processes.run(bench.request("cat; wc -c", { stdin: "x".repeat(500_000) }));
    expect(await bench.logSize()).toBe(500_002);
  });

  it("appends to the log", async () => {
    await bench.processes.run(bench.request("echo one", { id: "run/one" }));
    await bench.processes.run(bench.request("echo two", { id: "run/two" }));
    expect(await bench.log()).toBe("one\ntwo\n");
  });

  it.each([
    ["exit 7", { kind: "exited", code: 7 }],
    ["kill -KILL $$", { kind: "killed", signal: "SIGKILL" }],
    ["exit 145", { kind: "exited", code: 145 }],
    ["no-such-program", { kind: "exited", code: 127 }],
  ])("tells how %j ended", async (command, end) => {
    expect(await bench.processes.run(bench.request(command))).toEqual(end);
  });

  it("says that a command could not be started when its folder is missing, and can try again", async () => {
    const start = bench.processes.run(bench.request("true", { cwd: join(bench.folder, "none") }));
    await expect(start).rejects.toMatchObject({ code: "process-failed" });
    expect(await bench.processes.run(bench.request("true"))).toEqual({ kind: "exited", code: 0 });
  });

  it("interrupts first: a command that tidies up gets its time", async () => {
    const command = "trap 'echo tidied; exit 3' INT; echo ready; while :; do sleep 0.05; done";
    const abort = new AbortController();
    const patient = createProcesses({ folder: bench.runs });
    const running = patient.run(bench.request(command, { signal: abort.signal }));
    await vi.waitFor(async () => expect(await bench.log()).toBe("ready\n"), 60_000);
    abort.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(await bench.log()).toBe("ready\ntidied\n");
  });

  it.runIf(HAS_BUBBLEWRAP)("interrupts what is in a sandbox, not the sandbox", async () => {
    const inside = "trap 'echo tidied; exit 3' INT; echo ready; while :; do sleep 0.05; done";
    const sandbox = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
    const alone = ["--unshare-pid", "--die-with-parent", "--new-session"];
    const abort = new AbortController();
    const running = createProcesses({ folder: bench.runs }).run(
      bench.request("", {
        command: [...sandbox, ...alone, "sh", "-c", inside],
        signal: abort.signal,
      }),
    );
    await vi.waitFor(async () => expect(await bench.log()).toBe("ready\n"), 60_000);
    abort.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(await bench.log()).toBe("ready\ntidied\n");
  });

  it("starts nothing when it is cancelled already", async () => {
    const end = await bench.processes.run(
      bench.request("echo ran", { signal: AbortSignal.abort() }),
    );
    expect(end).toEqual({ kind: "cancelled" });
    await expect(bench.log()).rejects.toThrow();
  });

  it("answers for a command that ended without running it again, until it is forgotten", async () => {
    const request = bench.request("echo ran; exit 4", { id: "run-1/agent" });
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await bench.processes.run(request)).toEqual({ kind: "exited", code: 4 });
    }
    expect(await bench.log()).toBe("ran\n");
    expect(await bench.processes.stateOf("run-1/agent")).toBe("ended");
    await bench.processes.forget("run");
    expect(await bench.processes.list()).toEqual(["run-1/agent"]);
    await bench.processes.forget("run-1");
    expect(await bench.processes.list()).toEqual([]);
    expect(await bench.processes.stateOf("run-1/agent")).toBe("absent");
    await bench.processes.run(request);
    expect(await bench.log()).toBe("ran\nran\n");
  });

  it("leaves a neighbour alone", async () => {
    const abort = new AbortController();
    const env = { ...bench.request("").env, WAVETRAIN_RUN_ID: `${bench.marker}-neighbour` };
    const neighbour = bench.processes.run(
      bench.request("echo $$ >> pids; sleep 60", {
        id: "neighbour",
        env,
        signal: abort.signal,
        logPath: `${bench.logPath}2`,
      }),
    );
    await vi.waitFor(async () => expect(await bench.pids()).toHaveLength(1), 60_000);
    await bench.processes.run(bench.request("true"));
    expect((await bench.pids()).every(isAlive)).toBe(true);
    expect(await bench.processes.stateOf("neighbour")).toBe("running");
    abort.abort();
    expect(await neighbour).toEqual({ kind: "cancelled" });
  });
});

describe("reap", () => {
  it("ends what an earlier life of the program left running, by the run's marker alone", async () => {
    const env = { ...bench.request("").env, WAVETRAIN_RUN_ID: `${bench.marker}-earlier` };
    spawn("sh", ["-c", "echo $$ >> pids; sleep 60 & sleep 61"], {
      cwd: bench.work,
      env,
      detached: true,
      stdio: "ignore",
    });
    await vi.waitFor(async () => expect(await bench.pids()).toHaveLength(1), 60_000);
    await bench.processes.reap(`${bench.marker}-another`);
    expect((await bench.pids()).every(isAlive)).toBe(true);
    await bench.processes.reap(`${bench.marker}-earlier`);
    expect((await bench.pids()).some(isAlive)).toBe(false);
  });
});

describe("tail", () => {
  it("gives the last bytes, cut between characters", async () => {
    await bench.processes.run(bench.request("printf 'x%s' 'ää'"));
    expect(await bench.processes.tail(bench.logPath, 100)).toBe("xää");
    expect(await bench.processes.tail(bench.logPath, 3)).toBe("ä");
  });
});
