import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProcesses } from "../../../src/adapters/process/create-processes.ts";
import { containerSandbox } from "../../../src/adapters/sandbox/container.ts";
import { isAlive } from "../../support/command-bench.ts";

/** Runs the command as an engine does: elsewhere, without our marker, and on when its client is gone. */
const ENGINE = `#!/bin/sh
dir=$(dirname "$0")
printf '%s\\n' "$*" >> "$dir/calls"
[ "$1" = rm ] && { read pid < "$dir/$3.pid" && kill -9 "$pid"; exit; }
shift
while [ $# -gt 0 ]; do
  case $1 in
  --name) name=$2; shift 2 ;;
  --rm | --interactive | --init) shift ;;
  --*) shift 2 ;;
  *) break ;;
  esac
done
shift
env -u WAVETRAIN_RUN_ID setsid --fork sh -c 'echo $$ > "$0"; exec "$@"' "$dir/$name.pid" "$@" < /dev/null > /dev/null 2>&1
until read pid < "$dir/$name.pid"; do sleep 0.02; done 2>/dev/null
while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
`;
const MARKER = "acme.shop.5.1@here";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-container-"));
  await writeFile(join(folder, "engine"), ENGINE);
  await chmod(join(folder, "engine"), 0o755);
  for (const name of ["tree", "home", "tmp"]) await mkdir(join(folder, name));
});
afterEach(() => rm(folder, { recursive: true }));

function sandbox() {
  return containerSandbox(
    { program: join(folder, "engine"), image: "agents:1", args: [] },
    { PATH: process.env["PATH"] ?? "", HOME: "/root" },
  );
}

function processes() {
  const { end } = sandbox();
  return createProcesses({ folder: join(folder, "runs"), graceMs: 100, endElsewhere: end });
}

function start(command: string, signal: AbortSignal) {
  const [workspace, home, tmp] = ["tree", "home", "tmp"].map((name) => join(folder, name));
  const view = { workspace: workspace!, home: home!, tmp: tmp!, readable: [], marker: MARKER };
  const argv = sandbox().wrap(["/bin/sh", "-c", command], {
    ...view,
    variables: { HOME: join(folder, "home") },
    network: "open",
    gate: join(folder, "gate"),
  });
  return processes().run({
    id: "run/agent",
    command: argv,
    cwd: view.workspace,
    stdin: "",
    signal,
    env: { PATH: process.env["PATH"] ?? "", WAVETRAIN_RUN_ID: MARKER },
    logPath: join(folder, "log"),
    limits: { wallMs: 60_000, maxLogBytes: 1 << 20 },
  });
}

const written = (name: string): Promise<string> =>
  readFile(join(folder, name), "utf8").catch(() => "");

/** The number of the process in the container, once it runs. */
async function containerPid(): Promise<number> {
  let pid = 0;
  await expect
    .poll(async () => (pid = Number(await written("tree/pid"))), { timeout: 30_000 })
    .toBeGreaterThan(0);
  return pid;
}

describe("containerSandbox", () => {
  it("runs a command through the engine, with its user, mounts and name", async () => {
    const end = await start(`echo done > ${folder}/tree/made`, new AbortController().signal);
    expect(end).toEqual({ kind: "exited", code: 0 });
    expect(await written("tree/made")).toBe("done\n");
    const [run = ""] = (await written("calls")).split("\n");
    expect(run).toContain("--cap-drop ALL --security-opt no-new-privileges");
    expect(run).toContain(`--mount type=bind,source=${folder}/tree,target=${folder}/tree`);
    expect(run).toMatch(/--user \d+:\d+/);
  });

  it("ends the container of a run that is stopped", async () => {
    const stop = new AbortController();
    const ended = start(`echo $$ > ${folder}/tree/pid; exec sleep 300`, stop.signal);
    const pid = await containerPid();
    stop.abort();
    expect(await ended).toEqual({ kind: "cancelled" });
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await written("calls")).toContain("rm --force wavetrain-acme-shop-5-1-here-");
  });

  it("ends what an earlier life of the app left, by its marker alone", async () => {
    const stop = new AbortController();
    const ended = start(`echo $$ > ${folder}/tree/pid; exec sleep 300`, stop.signal);
    const pid = await containerPid();
    await processes().reap(MARKER);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await ended).kind).not.toBe("exited");
  });
});
