import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createProcesses } from "../../../src/adapters/process/create-processes.ts";
import type { CommandRequest } from "../../../src/ports/processes.ts";
import { commandsAreHeld, isAlive, limits, useCommandBench } from "../../support/command-bench.ts";

const SUPERVISOR = new URL("../../support/supervisor.mjs", import.meta.url).pathname;
const bench = useCommandBench();

/** Says that it runs, waits for the file `go`, ends with 9. */
const PATIENT = "echo begun; until test -e go; do sleep 0.05; done; echo done; exit 9";

async function runElsewhere(request: CommandRequest): Promise<ChildProcess> {
  const path = join(bench.folder, "request.json");
  await writeFile(path, JSON.stringify(request));
  const child = spawn(process.execPath, ["--import", "tsx", SUPERVISOR, bench.runs, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await vi.waitFor(async () => expect(await bench.log()).toBe("begun\n"), 60_000);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const go = (): Promise<void> => writeFile(join(bench.work, "go"), "");
const inFolder = (name: string): string => join(bench.runs, "command", name);

describe("a command whose supervisor was killed", () => {
  it("goes on and is followed to its end by the next one, with its exit code and its whole log", async () => {
    const request = bench.request(PATIENT);
    await kill(await runElsewhere(request));
    expect(await bench.processes.stateOf("command")).toBe("running");
    const running = bench.processes.run(request);
    await go();
    expect(await running).toEqual({ kind: "exited", code: 9 });
    expect(await bench.log()).toBe("begun\ndone\n");
  });

  it("is not started again when it ended while nobody watched, and what it left behind is swept", async () => {
    const request = bench.request(`nohup setsid sleep 300 >/dev/null 2>&1 & ${PATIENT}`);
    await kill(await runElsewhere(request));
    await go();
    await vi.waitFor(
      async () => expect(await bench.processes.stateOf("command")).toBe("ended"),
      60_000,
    );
    // A namespace ends with its command.
    expect(await bench.marked()).toHaveLength(commandsAreHeld() ? 0 : 1);
    expect(await bench.processes.run(request)).toEqual({ kind: "exited", code: 9 });
    expect(await bench.marked()).toEqual([]);
    expect(await bench.log()).toBe("begun\ndone\n");
  });

  it("keeps its time: it is over although nobody watched it pass", async () => {
    const request = bench.request(PATIENT, { limits: limits({ wallMs: 3000 }) });
    await kill(await runElsewhere(request));
    await vi.waitFor(async () => {
      const { startedAt } = JSON.parse(await readFile(inFolder("run.json"), "utf8")) as {
        startedAt: number;
      };
      expect(Date.now() - startedAt).toBeGreaterThan(3000);
    }, 60_000);
    expect(await bench.processes.run(request)).toEqual({ kind: "timed-out" });
  });

  it("is lost and swept when its own supervision was killed as well", async () => {
    const request = bench.request(PATIENT);
    await kill(await runElsewhere(request));
    const shim = Number.parseInt(await readFile(inFolder("pid"), "utf8"), 10);
    process.kill(shim, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(shim)).toBe(false), 60_000);
    expect(await bench.processes.stateOf("command")).toBe("lost");
    expect((await bench.marked()).length).toBeGreaterThan(0);
    expect(await bench.processes.run(request)).toEqual({ kind: "lost" });
    expect(await bench.marked()).toEqual([]);
  });

  it("is stopped for the reason that was written down before", async () => {
    const request = bench.request(PATIENT);
    await kill(await runElsewhere(request));
    await writeFile(inFolder("stop"), JSON.stringify({ kind: "stalled", afterMs: 5 }));
    expect(await bench.processes.run(request)).toEqual({ kind: "stalled", afterMs: 5 });
  });

  it("counts as lost when it was told to stop by somebody who is gone", async () => {
    const request = bench.request(PATIENT);
    await kill(await runElsewhere(request));
    await writeFile(inFolder("stop"), JSON.stringify({ kind: "cancelled" }));
    expect(await bench.processes.run(request)).toEqual({ kind: "lost" });
  });
});

describe("leave", () => {
  it("lets a command go on that somebody else takes up", async () => {
    const request = bench.request(PATIENT);
    const settled = vi.fn();
    void bench.processes.run(request).then(settled);
    await vi.waitFor(async () => expect(await bench.log()).toBe("begun\n"), 60_000);
    bench.processes.leave();
    const running = createProcesses({ folder: bench.runs }).run(request);
    await go();
    expect(await running).toEqual({ kind: "exited", code: 9 });
    expect(settled).not.toHaveBeenCalled();
  });
});

describe("a command that was written down", () => {
  it("is started when nobody had begun to run it", async () => {
    await mkdir(inFolder(""), { recursive: true });
    const record = { id: "command", marker: bench.marker, command: [], cwd: "", env: [] };
    const rest = { logPath: bench.logPath, logStart: 0, startedAt: 0 };
    await writeFile(inFolder("run.json"), JSON.stringify({ ...record, ...rest }));
    expect(await bench.processes.stateOf("command")).toBe("absent");
    const end = await bench.processes.run(bench.request("echo ran"));
    expect([end, await bench.log()]).toEqual([{ kind: "exited", code: 0 }, "ran\n"]);
  });

  it("is not mistaken for a stranger who was given its number", async () => {
    const stranger = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    try {
      const request = bench.request(PATIENT);
      await kill(await runElsewhere(request));
      await bench.processes.reap(bench.marker);
      const [, ...rest] = (await readFile(inFolder("pid"), "utf8")).split("\n");
      await writeFile(inFolder("pid"), [String(stranger.pid), ...rest].join("\n"));
      expect(await bench.processes.stateOf("command")).toBe("lost");
      expect(await bench.processes.run(request)).toEqual({ kind: "lost" });
      expect(isAlive(stranger.pid!)).toBe(true);
    } finally {
      stranger.kill("SIGKILL");
    }
  });

  it("is not looked for after the machine was started again", async () => {
    const request = bench.request(PATIENT);
    await kill(await runElsewhere(request));
    const lines = (await readFile(inFolder("pid"), "utf8")).split("\n");
    await writeFile(inFolder("pid"), lines.with(2, "another boot").join("\n"));
    expect(await bench.processes.stateOf("command")).toBe("lost");
    expect(await bench.processes.run(request)).toEqual({ kind: "lost" });
  });
});
