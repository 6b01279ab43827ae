import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProcesses } from "../../src/adapters/process/create-processes.ts";
import { containerSandbox } from "../../src/adapters/sandbox/container.ts";
import { createSandbox } from "../../src/adapters/sandbox/create-sandbox.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { Network } from "../../src/domain/network/network.ts";
import type { CommandEnd, CommandLimits } from "../../src/ports/processes.ts";
import { proxyVariables } from "../../src/workspace/child-env.ts";
import { PODMAN_ARGS, realPodman } from "../support/podman.ts";

const PODMAN = await realPodman();
const OUTBOUND = new URL("../support/outbound.mjs", import.meta.url).pathname;
const run = promisify(execFile);

interface Order {
  readonly network?: Network;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<CommandLimits>;
}

let root: string;
let marker: string;
let named: Server;
let unnamed: Server;

const at = (...path: readonly string[]): string => join(root, ...path);
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const environment = { PATH: process.env.PATH, HOME: process.env.HOME };

async function listen(words: string): Promise<Server> {
  const server = createServer((_, response) => response.end(words)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

beforeAll(async () => {
  named = await listen("named");
  unnamed = await listen("unnamed");
});
afterAll(() => {
  for (const server of [named, unnamed]) server.close();
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-containers-"));
  marker = `run@${root.slice(-6)}`;
  for (const folder of ["tree", "home", "tmp", "input", "sibling", "store"]) {
    await mkdir(at("data", folder), { recursive: true });
  }
  await writeFile(at("data", "store", "key.pem"), "the key");
  await writeFile(at("data", "sibling", "work.txt"), "a neighbour's work");
  await writeFile(at("data", "input", "task.md"), "do it");
  await cp(OUTBOUND, at("data", "tree", "outbound.mjs"));
});
afterEach(async () => {
  await processes().reap(marker);
  await rm(root, { recursive: true, force: true });
});

function sandbox() {
  const { program = "", image } = PODMAN ?? {};
  return containerSandbox({ program, image, args: [...PODMAN_ARGS] }, environment);
}

function processes() {
  return createProcesses({ folder: at("runs"), graceMs: 3000, endElsewhere: sandbox().end });
}

/** As a run does it: through the shim, with files instead of pipes, swept when it ends. */
function start(
  command: string,
  { network = "none", signal, limits }: Order = {},
): Promise<CommandEnd> {
  const folders = {
    workspace: at("data", "tree"),
    home: at("data", "home"),
    tmp: at("data", "tmp"),
  };
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folders.home,
    TMPDIR: folders.tmp,
    SECRET: "s3cret",
    WAVETRAIN_RUN_ID: marker,
    ...proxyVariables(network),
  };
  const argv = sandbox().wrap(["/bin/sh", "-c", command], {
    ...folders,
    readable: [at("data", "input")],
    marker,
    variables: env,
    network,
    gate: at("data", "input", "gate"),
  });
  return processes().run({
    id: `run/${String(Math.random())}`,
    command: argv,
    cwd: folders.workspace,
    env,
    stdin: "words for it",
    signal: signal ?? new AbortController().signal,
    logPath: at("log"),
    limits: { wallMs: 120_000, maxLogBytes: 1 << 20, ...limits },
  });
}

const log = (): Promise<string> => readFile(at("log"), "utf8").catch(() => "");
const containers = async (): Promise<string> =>
  (await run(PODMAN?.program ?? "", ["ps", "--all", "--format", "{{.Names}}"])).stdout;

/** What a shell command prints in a container. */
async function inside(command: string, order: Order = {}): Promise<string> {
  await rm(at("log"), { force: true });
  expect(await start(`{ ${command}; } 2>&1; true`, order)).toEqual({ kind: "exited", code: 0 });
  return (await log()).trim();
}

const hostShows = async (text: string): Promise<boolean> =>
  (await run("ps", ["-eo", "args"])).stdout.split("\n").some((line) => line.trim() === text);

describe.skipIf(PODMAN === undefined)("a container of a real podman", () => {
  it("does the work, with standard input, environment and exit code, and is gone afterwards", async () => {
    expect(await start(`cat; echo " $SECRET $HOME"; pwd; exit 7`)).toEqual({
      kind: "exited",
      code: 7,
    });
    expect(await log()).toBe(`words for it s3cret ${at("data", "home")}\n${at("data", "tree")}\n`);
    expect(await containers()).not.toContain(marker.replace("@", "-"));
  });

  it("writes in its workspace, HOME and temporary folder alone, as the server's own user", async () => {
    const files = ["tree", "home", "tmp"].map((name) => at("data", name, "new.txt"));
    expect(await inside(`touch ${files.join(" ")}; id -u`)).toBe(String(process.getuid?.()));
    for (const file of files) expect((await stat(file)).uid).toBe(process.getuid?.());
    const task = at("data", "input", "task.md");
    expect(await inside(`cat ${task}; echo x >> ${task}`)).toMatch(
      /^do it.*Read-only file system/s,
    );
    expect(await inside(`touch ${at("data", "new.txt")}; ls ${at("data")}`)).not.toContain("store");
    await expect(stat(at("data", "new.txt"))).rejects.toThrow("ENOENT");
  });

  it("shows neither key nor neighbours nor processes of the host, and gives no rights back", async () => {
    const hidden = [at("data", "store", "key.pem"), at("data", "sibling", "work.txt"), at("runs")];
    expect(await inside(`cat ${hidden.join(" ")}`)).not.toMatch(/the key|neighbour's/);
    expect(Number(await inside("ls -d /proc/[0-9]* | wc -l"))).toBeLessThan(8);
    expect(await inside("grep CapEff /proc/self/status")).toMatch(/0{16}$/);
    expect(await inside("mount -t tmpfs x /tmp && echo mounted")).not.toContain("mounted");
    expect(await inside("true >> /proc/sys/kernel/core_pattern && echo opened")).not.toContain(
      "opened",
    );
  });

  it("ends with its command, also what it put into the background twice and under another name", async () => {
    const nap = `4${process.pid}`;
    const hide = `(setsid env -i /bin/sh -c "(setsid sleep ${nap} &)" &)`;
    expect(await inside(`${hide}; sleep 0.3; ps -e | grep -c sleep || true`)).toBe("1");
    await expect.poll(() => hostShows(`sleep ${nap}`), { timeout: 20_000 }).toBe(false);
  });

  it.each(["none", "named hosts"])(
    "is asked to end before it is made to, and ends when its run is stopped, with %s",
    async (kind) => {
      const network = kind === "none" ? kind : [`127.0.0.1:${portOf(named)}`];
      const stop = new AbortController();
      const nap = `5${process.pid}`;
      const hide = `(setsid env -i /bin/sh -c "(setsid sleep ${nap} &)" &)`;
      const tidy = `trap 'echo tidied; exit 0' INT; ${hide}; echo ready; while :; do sleep 0.1; done`;
      const ended = start(tidy, { signal: stop.signal, network });
      await expect.poll(log, { timeout: 60_000 }).toContain("ready");
      expect(await containers()).toContain(marker.replace("@", "-"));
      await expect.poll(() => hostShows(`sleep ${nap}`), { timeout: 20_000 }).toBe(true);
      stop.abort();
      expect(await ended).toEqual({ kind: "cancelled" });
      expect(await log()).toContain("tidied");
      expect(await hostShows(`sleep ${nap}`)).toBe(false);
      expect(await containers()).not.toContain(marker.replace("@", "-"));
    },
  );

  it("ends when too much is started or printed in it", async () => {
    const bomb = `i=0; while [ $i -lt 60 ]; do sleep 60 & i=$((i+1)); done; wait`;
    expect(await start(bomb, { limits: { maxProcesses: 40 } })).toEqual({ kind: "process-limit" });
    const flood = `while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done`;
    const large = `head -c 300000 /dev/zero > large && echo written`;
    expect(await inside(large, { limits: { maxFileBytes: 100_000 } })).not.toContain("written");
    expect(await start(flood, { limits: { maxLogBytes: 100_000 } })).toEqual({
      kind: "output-limit",
    });
    expect(await containers()).not.toContain(marker.replace("@", "-"));
  });

  it("is found by its marker alone, by a later life of the server", async () => {
    const nap = `6${process.pid}`;
    const ended = start(`echo ready; exec sleep ${nap}`);
    await expect.poll(log, { timeout: 60_000 }).toContain("ready");
    await processes().reap(marker);
    expect(await hostShows(`sleep ${nap}`)).toBe(false);
    expect(await containers()).not.toContain(marker.replace("@", "-"));
    expect((await ended).kind).not.toBe("cancelled");
  });

  it("reaches nothing with none, and with named hosts those alone", async () => {
    const [good, other] = [portOf(named), portOf(unnamed)];
    const attempts = JSON.stringify([
      { way: "tunnel", to: `127.0.0.1:${good}` },
      { way: "plain", url: `http://127.0.0.1:${good}/` },
      { way: "direct", host: "127.0.0.1", port: good },
      { way: "tunnel", to: `127.0.0.1:${other}` },
      { way: "direct", host: "127.0.0.1", port: other },
      { way: "tunnel", to: "169.254.169.254:80" },
      { way: "interfaces" },
      { way: "routes" },
    ]);
    const command = `node outbound.mjs '${attempts}'`;
    expect(JSON.parse(await inside(command))).toEqual([
      ...Array.from({ length: 6 }, () => "ECONNREFUSED"),
      "lo",
      "",
    ]);
    const [answers = "", ...refused] = (await inside(command, { network: [`127.0.0.1:${good}`] }))
      .split("\n")
      .sort();
    expect(JSON.parse(answers)).toEqual([
      "200 200 named",
      "200 named",
      "ECONNREFUSED",
      `403 127.0.0.1:${other} is not named`,
      "ECONNREFUSED",
      "403 169.254.169.254:80 is not named",
      "lo",
      "",
    ]);
    expect(refused).toEqual([
      `wavetrain: network: refused 127.0.0.1:${other}: is not named`,
      "wavetrain: network: refused 169.254.169.254:80: is not named",
    ]);
  });
});

describe.skipIf(PODMAN === undefined)("the client of a container", () => {
  it("does not go by settings that an agent wrote into its HOME", async () => {
    await inside(
      `mkdir -p "$HOME/.config/containers"; echo planted > "$HOME/.config/containers/x"`,
    );
    const { program = "", image } = PODMAN ?? {};
    const spy = at("podman");
    await writeFile(
      spy,
      `#!/bin/sh\necho "$HOME $XDG_CONFIG_HOME $TMPDIR $HTTPS_PROXY" >> ${at("seen")}\nexec ${program} "$@"\n`,
      { mode: 0o755 },
    );
    const spied = containerSandbox({ program: spy, image, args: [...PODMAN_ARGS] }, environment);
    const home = at("data", "home");
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: home,
      XDG_CONFIG_HOME: `${home}/.config`,
      TMPDIR: at("data", "tmp"),
      HTTPS_PROXY: "http://x",
    };
    const [client = "", ...args] = spied.wrap(["/bin/sh", "-c", `echo "$HOME $XDG_CONFIG_HOME"`], {
      workspace: at("data", "tree"),
      home,
      tmp: at("data", "tmp"),
      readable: [],
      marker,
      variables: env,
      network: "none" as const,
      gate: at("gate"),
    });
    const { stdout } = await run(client, args, { env });
    expect(stdout.trim()).toBe(`${home} ${home}/.config`);
    expect((await readFile(at("seen"), "utf8")).trim()).toBe(process.env.HOME);
  });

  it.each([
    ["localhost/wavetrain-test:no-such", "no-such"],
    [PODMAN?.image ?? "", undefined],
  ])("says at the start whether the image %s can keep a list of hosts", async (image, reason) => {
    const operator = operatorConfigSchema.parse({
      runners: { a: { command: "a", network: [] } },
      sandbox: "container",
      container: { program: PODMAN?.program, image, args: ["--pull=never", ...PODMAN_ARGS] },
    });
    const created = createSandbox({ operator, environment });
    if (reason === undefined) expect((await created).level).toBe("container");
    else await expect(created).rejects.toThrow("a list of hosts needs node in the image");
  });
});
