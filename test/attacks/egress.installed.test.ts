import { execFile, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../src/adapters/sandbox/bubblewrap.ts";
import { createEgressProxy } from "../../src/adapters/sandbox/egress/egress-proxy.ts";
import { parseHostRule } from "../../src/domain/network/network.ts";
import type { Network } from "../../src/domain/network/network.ts";
import type { Sandbox, SandboxView } from "../../src/ports/sandbox.ts";
import { proxyVariables } from "../../src/workspace/child-env.ts";
import { bubblewrapWorks } from "../support/installed.ts";

const WORKS = await bubblewrapWorks();
const OUTBOUND = new URL("../support/outbound.mjs", import.meta.url).pathname;
const run = promisify(execFile);

type Attempt = Readonly<Record<string, string | number>> & { readonly way: string };

let root: string;
let sandbox: Sandbox;
/** On this host's loopback: what is named, and what is not, such as the app's control interface. */
let good: Server;
let control: Server;
let controlSix: Server;

const at = (...path: readonly string[]): string => join(root, ...path);
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listen(words: string, host: string): Promise<Server> {
  const server = createServer((_, response) => response.end(words));
  server.listen(0, host);
  await once(server, "listening");
  return server;
}

beforeAll(async () => {
  good = await listen("good", "127.0.0.1");
  control = await listen("control", "127.0.0.1");
  controlSix = await listen("control", "::1");
});
afterAll(() => {
  for (const server of [good, control, controlSix]) server.close();
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-egress-"));
  for (const folder of ["tree", "home", "tmp"])
    await mkdir(at("data", folder), { recursive: true });
  await cp(OUTBOUND, at("data", "tree", "outbound.mjs"));
  const options = { dataDir: at("data"), readable: [], path: process.env.PATH ?? "", closes: true };
  const probed = await probeBubblewrap(options);
  if (probed.ok) sandbox = probed.value;
  else if (WORKS) throw new Error(probed.error);
});
afterEach(() => rm(root, { recursive: true, force: true }));

function viewOf(network: Network): SandboxView {
  const folders = {
    workspace: at("data", "tree"),
    home: at("data", "home"),
    tmp: at("data", "tmp"),
  };
  const gate = at("data", "tmp.input", "gate");
  return { ...folders, readable: [], marker: "run", variables: {}, network, gate };
}

/** What comes of each attempt inside, and what the log says. `within` is given the whole command line. */
async function attempt(
  network: Network,
  attempts: readonly Attempt[],
  within = (argv: readonly string[]): readonly string[] => argv,
): Promise<{ readonly answers: readonly string[]; readonly log: string }> {
  const command = [process.execPath, at("data", "tree", "outbound.mjs"), JSON.stringify(attempts)];
  const [program = "", ...args] = within(sandbox.wrap(command, viewOf(network)));
  const env = { PATH: process.env.PATH, HOME: at("data", "home"), ...proxyVariables(network) };
  const { stdout, stderr } = await run(program, args, { env, cwd: at("data", "tree") });
  return { answers: JSON.parse(stdout) as readonly string[], log: stderr };
}

/** The same, with names of our choice: the proxy is of this process, everything else is real. */
async function attemptWithNames(
  network: readonly string[],
  attempts: readonly Attempt[],
  resolve: (host: string) => readonly string[],
): Promise<{
  readonly answers: readonly string[];
  readonly asked: readonly string[];
  readonly refused: readonly string[];
}> {
  const asked: string[] = [];
  const refused: string[] = [];
  const proxy = createEgressProxy({
    rules: network.flatMap((text) => {
      const rule = parseHostRule(text);
      return rule.ok ? [rule.value] : [];
    }),
    resolve: (host) => {
      asked.push(host);
      return Promise.resolve(resolve(host));
    },
    own: () => [],
    refused: (what, why) => refused.push(`${what} ${why}`),
  });
  const { gate } = viewOf(network);
  await mkdir(gate, { recursive: true });
  proxy.listen(join(gate, "proxy.sock"));
  await once(proxy, "listening");
  try {
    const { answers } = await attempt(network, attempts, (argv) =>
      argv.slice(argv.indexOf("bwrap")),
    );
    return { answers, asked, refused };
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

describe.skipIf(!WORKS)("egress: an agent in bubblewrap", () => {
  it("reaches the host's own servers where the network is open", async () => {
    const direct = { way: "direct", host: "127.0.0.1", port: portOf(control) };
    expect((await attempt("open", [direct])).answers).toEqual(["200 control"]);
  });

  it("with none reaches neither the control interface, by IPv4 and IPv6, nor a name server, nor anything else", async () => {
    const dns = createSocket("udp4");
    let questions = 0;
    dns.on("message", () => (questions += 1));
    dns.bind(0, "127.0.0.1");
    await once(dns, "listening");
    try {
      const { answers } = await attempt("none", [
        { way: "direct", host: "127.0.0.1", port: portOf(control) },
        { way: "direct", host: "::1", port: portOf(controlSix) },
        { way: "tunnel", to: `127.0.0.1:${portOf(control)}` },
        { way: "dns", server: `127.0.0.1:${dns.address().port}`, name: "evil.example" },
        { way: "lookup", name: "evil.example" },
        { way: "interfaces" },
        { way: "routes" },
      ]);
      expect(answers.slice(0, 3)).toEqual(["ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]);
      expect(answers[3]).toMatch(/ECONNREFUSED|ETIMEOUT/);
      expect(answers[4]).toMatch(/EAI_AGAIN|ENOTFOUND/);
      expect(answers.slice(5)).toEqual(["lo", ""]);
      expect(questions).toBe(0);
    } finally {
      dns.close();
    }
  });

  it("with named hosts reaches those through the proxy, and nothing without it", async () => {
    const [named, unnamed] = [portOf(good), portOf(control)];
    const { answers, log } = await attempt(
      [`127.0.0.1:${named}`],
      [
        { way: "tunnel", to: `127.0.0.1:${named}` },
        { way: "plain", url: `http://127.0.0.1:${named}/` },
        { way: "direct", host: "127.0.0.1", port: named },
        { way: "tunnel", to: `127.0.0.1:${unnamed}` },
        { way: "plain", url: `http://127.0.0.1:${unnamed}/wavetrain/status` },
        { way: "tunnel", to: `[::1]:${portOf(controlSix)}` },
        { way: "tunnel", to: `localhost:${named}` },
        { way: "tunnel", to: "169.254.169.254:80" },
        { way: "plain", url: "http://169.254.169.254/latest/meta-data/" },
        { way: "tunnel", to: "evil.example:443" },
        { way: "lookup", name: "evil.example" },
        { way: "interfaces" },
        { way: "routes" },
      ],
    );
    expect(answers.slice(0, 3)).toEqual(["200 200 good", "200 good", "ECONNREFUSED"]);
    for (const answer of answers.slice(3, 10)) expect(answer).toMatch(/^403 .* is not named$/);
    expect(answers[10]).toMatch(/EAI_AGAIN|ENOTFOUND/);
    expect(answers.slice(11)).toEqual(["lo", ""]);
    expect(log.split("\n").sort()).toEqual(
      [
        "",
        `wavetrain: network: refused 127.0.0.1:${unnamed}: is not named`,
        `wavetrain: network: refused ::1:${portOf(controlSix)}: is not named`,
        "wavetrain: network: refused 169.254.169.254:80: is not named",
        "wavetrain: network: refused evil.example:443: is not named",
        `wavetrain: network: refused localhost:${named}: is not named`,
      ].sort(),
    );
  });

  it("does not reach this host by a name that leads to it, by the system's own resolver", async () => {
    const port = portOf(control);
    const { answers, log } = await attempt(
      [`localhost:${port}`],
      [
        { way: "tunnel", to: `localhost:${port}` },
        { way: "plain", url: `http://localhost:${port}/` },
      ],
    );
    for (const answer of answers) expect(answer).toMatch(/^403 .* leads to (127|::1)/);
    expect(log).toMatch(/refused localhost:\d+: leads to (127.0.0.1|::1), of/);
  });

  it.each([
    ["this host", "127.0.0.1"],
    ["this host by IPv6", "::1"],
    ["this host as a mapped address", "::ffff:127.0.0.1"],
    ["every interface", "0.0.0.0"],
  ])("does not reach %s by a named host that leads there", async (_, address) => {
    const port = portOf(address === "::1" ? controlSix : control);
    const { answers, refused } = await attemptWithNames(
      [`named.example:${port}`],
      [
        { way: "tunnel", to: `named.example:${port}` },
        { way: "plain", url: `http://named.example:${port}/` },
      ],
      () => [address],
    );
    for (const answer of answers) expect(answer).toMatch(/^403 .* leads to/);
    expect(refused).toHaveLength(2);
  });

  it("connects to the address that was judged, whatever the name leads to a moment later", async () => {
    const port = portOf(good);
    const turns = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]];
    const { answers, asked } = await attemptWithNames(
      [`named.example:${port}`, `127.0.0.1:${port}`],
      [1, 2, 3].map(() => ({ way: "tunnel", to: `named.example:${port}` })),
      () => turns.shift() ?? [],
    );
    expect(asked).toEqual(["named.example", "named.example", "named.example"]);
    expect(answers[0]).toBe("200 200 good");
    expect(answers[1]).toMatch(/^403 .* leads to 127.0.0.2/);
    expect(answers[2]).toBe("200 200 good");
  });

  it("takes of several addresses only those that it may", async () => {
    const port = portOf(good);
    const { answers } = await attemptWithNames(
      [`named.example:${port}`, `127.0.0.1:${port}`],
      [{ way: "tunnel", to: `named.example:${port}` }],
      () => ["169.254.169.254", "10.0.0.1", "127.0.0.1"],
    );
    expect(answers).toEqual(["200 200 good"]);
  });

  it("asks for no name that is not named: a question to a name server is a message, too", async () => {
    const { answers, asked } = await attemptWithNames(
      ["named.example", "*.below.example"],
      [
        { way: "tunnel", to: "secret-in-a-name.evil.example:443" },
        { way: "plain", url: "http://secret.evil.example/" },
        { way: "tunnel", to: "named.example:22" },
      ],
      () => [],
    );
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["403", "403", "403"]);
    expect(asked).toEqual([]);
  });

  it("gets nowhere with hosts that are written oddly", async () => {
    const port = portOf(good);
    const odd = [
      `x@named.example:${port}`,
      `named.example%00.evil.example:${port}`,
      `named.example%2e:${port}`,
      `ｎamed.example:${port}`,
      `named。example:${port}`,
      `named.example:${port}@evil.example:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      `[named.example]:${port}`,
      `[::1%25lo]:${port}`,
      `named.example`,
      `http://named.example:${port}/`,
    ];
    const { answers, asked } = await attemptWithNames(
      [`named.example:${port}`, `127.0.0.1:${port}`],
      odd.map((to) => ({ way: "tunnel", to })),
      () => ["127.0.0.1"],
    );
    for (const answer of answers) expect(answer).toMatch(/^400 /);
    expect(asked).toEqual([]);
    const spelled = [`NAMED.Example:${port}`, `named.example.:${port}`];
    const same = await attemptWithNames(
      [`named.example:${port}`, `127.0.0.1:${port}`],
      spelled.map((to) => ({ way: "tunnel", to })),
      () => ["127.0.0.1"],
    );
    expect(same.answers).toEqual(["200 200 good", "200 200 good"]);
  });

  it.each([
    ["exit 7", 7],
    ["kill -9 $$", 137],
    ["no-such-program", 127],
  ])("ends %s with %i, as if nobody were around it", async (command, code) => {
    const argv = sandbox.wrap(["/bin/sh", "-c", command], viewOf(["named.example"]));
    const [program = "", ...args] = argv;
    const ended = run(program, args, { env: { PATH: process.env.PATH } });
    await expect(ended).rejects.toMatchObject({ code });
  });

  it("has its way out also where the folder's name is longer than a socket's may be", async () => {
    const deep = at("data", "d".repeat(120), "gate");
    const argv = sandbox.wrap(
      [
        process.execPath,
        at("data", "tree", "outbound.mjs"),
        `[{"way":"tunnel","to":"x.example:443"}]`,
      ],
      { ...viewOf(["named.example"]), gate: deep },
    );
    const [program = "", ...args] = argv;
    const { stdout } = await run(program, args, { env: { PATH: process.env.PATH } });
    expect(stdout).toBe(`["403 x.example:443 is not named"]\n`);
  });

  it("does not outlive the program that keeps its way out", async () => {
    const nap = `3${process.pid}`;
    const argv = sandbox.wrap(["sleep", nap], viewOf(["named.example"]));
    const gate = spawn(argv[0] ?? "", argv.slice(1), { env: { PATH: process.env.PATH } });
    const isAsleep = async (): Promise<boolean> =>
      (await run("ps", ["-eo", "args"])).stdout.split("\n").includes(`sleep ${nap}`);
    await expect.poll(isAsleep, { timeout: 20_000 }).toBe(true);
    gate.kill("SIGKILL");
    await expect.poll(isAsleep, { timeout: 20_000 }).toBe(false);
  });
});
