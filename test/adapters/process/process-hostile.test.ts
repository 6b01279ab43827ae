import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { agent, isAlive, limits, useCommandBench } from "../../support/command-bench.ts";

const bench = useCommandBench();
const WELL = { kind: "exited", code: 0 };

describe("a command that does not want to end", () => {
  it("is ended although it ignores every polite signal when its time is over", async () => {
    const request = bench.request(agent("ignores-signals.mjs"), {
      limits: limits({ wallMs: 1500 }),
    });
    expect(await bench.processes.run(request)).toEqual({ kind: "timed-out" });
    expect(await bench.pids()).toHaveLength(2);
  });

  it("takes a daemon with it that left the session and whose parents are gone", async () => {
    const start = agent("leaves-session.mjs", "marked").replace("exec ", "");
    const command = `${start}; until test -s pids; do sleep 0.05; done`;
    expect(await bench.processes.run(bench.request(command))).toEqual(WELL);
    expect(await bench.pids()).toHaveLength(1);
  });

  it("takes a daemon with it that also cleared its environment, once it was seen at work", async () => {
    const start = agent("leaves-session.mjs", "bare").replace("exec ", "");
    const command = `${start}; until test -s pids; do sleep 0.05; done; sleep 2.5`;
    expect(await bench.processes.run(bench.request(command))).toEqual(WELL);
    expect(await bench.pids()).toHaveLength(1);
  });

  it("takes a server with it that holds its output open, although it ended well", async () => {
    expect(await bench.processes.run(bench.request(agent("leaves-server.mjs")))).toEqual(WELL);
    expect(await bench.log()).toBe("done\n");
    expect(await bench.pids()).toHaveLength(1);
  });

  it("takes a server with it that was started to outlive it", async () => {
    const command = "nohup setsid sleep 300 >/dev/null 2>&1 & echo $! >> pids";
    expect(await bench.processes.run(bench.request(command))).toEqual(WELL);
    expect((await bench.pids()).some(isAlive)).toBe(false);
  });

  it("takes its replacements with it", async () => {
    const abort = new AbortController();
    const running = bench.processes.run(
      bench.request(agent("keeps-forking.mjs"), { signal: abort.signal }),
    );
    await vi.waitFor(async () => expect((await bench.pids()).length).toBeGreaterThan(3), 60_000);
    abort.abort();
    expect(await running).toEqual({ kind: "cancelled" });
  });

  it("cannot end its supervision by a polite signal to the whole group", async () => {
    const command = "trap '' INT TERM HUP; kill -INT 0; kill -TERM 0; kill -HUP 0; exit 6";
    expect(await bench.processes.run(bench.request(command))).toEqual({ kind: "exited", code: 6 });
  });
});

describe("a command that takes too much", () => {
  it("is stopped when it floods its output, and the log is kept within its limit", async () => {
    const request = bench.request(agent("floods-output.mjs"), {
      limits: limits({ maxLogBytes: 100_000 }),
    });
    expect(await bench.processes.run(request)).toEqual({ kind: "output-limit" });
    expect(await bench.logSize()).toBe(100_000);
  });

  it("cannot write a file beyond the limit", async () => {
    const request = bench.request(agent("fills-disk.mjs"), {
      limits: limits({ maxFileBytes: 4 << 20 }),
    });
    expect(await bench.processes.run(request)).toEqual({ kind: "exited", code: 5 });
    expect(await bench.log()).toBe("EFBIG\n");
    expect((await stat(join(bench.work, "big"))).size).toBe(4 << 20);
  });

  it("is stopped when it starts more processes than it may", async () => {
    const request = bench.request(agent("forks-on.mjs"), { limits: limits({ maxProcesses: 20 }) });
    expect(await bench.processes.run(request)).toEqual({ kind: "process-limit" });
    expect(await bench.marked()).toEqual([]);
  });
});

describe("a silent command", () => {
  const idle = limits({ idleMs: 1000 });

  it("is stopped when it does nothing", async () => {
    const end = await bench.processes.run(bench.request("sleep 300", { limits: idle }));
    expect(end).toMatchObject({ kind: "stalled" });
    expect(end.kind === "stalled" ? end.afterMs : 0).toBeGreaterThanOrEqual(1000);
  });

  it("is left alone while it works", async () => {
    const busy = `exec '${process.execPath}' -e 'const end = Date.now() + 3500; while (Date.now() < end);'`;
    expect(await bench.processes.run(bench.request(busy, { limits: idle }))).toEqual(WELL);
  });

  it("is left alone while processes of its own work", async () => {
    const loop = "const end = Date.now() + 3500; while (Date.now() < end);";
    const child = `setsid '${process.execPath}' -e '${loop}; require("fs").writeFileSync("done", "")' & until test -e done; do sleep 0.2; done`;
    expect(await bench.processes.run(bench.request(child, { limits: idle }))).toEqual(WELL);
  });

  it("is stopped although it says again and again that it waits", async () => {
    const command = "while :; do echo waiting; sleep 0.2; done";
    const request = bench.request(command, {
      limits: idle,
      isProgress: (line) => line !== "waiting",
    });
    expect(await bench.processes.run(request)).toMatchObject({ kind: "stalled" });
  });

  it("is left alone while it says what it does", async () => {
    const command = "for n in $(seq 20); do echo working; sleep 0.1; done";
    const request = bench.request(command, {
      limits: idle,
      isProgress: (line) => line === "working",
    });
    expect(await bench.processes.run(request)).toEqual(WELL);
  });
});
