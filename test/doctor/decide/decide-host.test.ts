import { describe, expect, it } from "vitest";
import { decideHost } from "../../../src/doctor/decide/decide-host.ts";
import type { HostFacts, PlaceFacts } from "../../../src/doctor/decide/decide-host.ts";
import type { RunnerFacts } from "../../../src/doctor/decide/decide-runner.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { fail, ok } from "../../../src/shared/result.ts";
import { told } from "../told.ts";

const GB = 2 ** 30;

const PLACE: PlaceFacts = {
  folder: { path: "/data", exists: true, unwritable: undefined, freeBytes: 20 * GB },
  minFreeDisk: GB,
  store: { state: "good" },
  oddities: [],
  sandbox: ok({ level: "bubblewrap" }),
  runners: [],
};

const RUNNER: RunnerFacts = {
  name: "claude",
  program: "claude",
  path: "/usr/bin/claude",
  version: ok("2.1.0"),
  unset: [],
  unsafe: undefined,
  network: "open",
};

const HOST: HostFacts = {
  node: "22.14.0",
  git: ok("git version 2.45.1 (Apple Git-1)"),
  configFile: "wavetrain.config.yml",
  configProblems: [],
  identity: ok({ appId: 7, source: "environment", exposed: undefined }),
  place: PLACE,
};

function findings(facts: Partial<HostFacts>, check: string): readonly string[] {
  return told(decideHost({ ...HOST, ...facts }).filter((finding) => finding.check === check));
}

function inPlace(place: Partial<PlaceFacts>, check: string): readonly string[] {
  return findings({ place: { ...PLACE, ...place } }, check);
}

describe("decideHost", () => {
  it("has nothing against a machine where all is right", () => {
    expect(told(decideHost({ ...HOST, place: { ...PLACE, runners: [RUNNER] } })))
      .toMatchInlineSnapshot(`
        [
          "ok node: Node 22.14.0",
          "ok git: git 2.45.1",
          "ok configuration: wavetrain.config.yml is valid",
          "ok credentials: app 7, its key and webhook secret from the environment",
          "ok data-folder: /data can be written",
          "ok disk: 20.0 GB free at /data",
          "ok store: the store opens",
          "ok sandbox: agents run in bubblewrap",
          "ok runner: runner claude: claude 2.1.0 in /usr/bin/claude",
          "ok runner: runner claude may reach all that this host can (network: open)",
        ]
      `);
  });

  it.each([
    ["18.20.0", "problem"],
    ["20.18.3", "problem"],
    ["20.19.0", "ok"],
    ["20.20.2", "ok"],
    ["21.9.0", "problem"],
    ["22.11.0", "problem"],
    ["22.12.0", "ok"],
    ["24.1.0", "ok"],
  ])("knows that Node %s is %s", (node, level) => {
    expect(findings({ node }, "node")[0]).toMatch(new RegExp(`^${level} `));
  });

  it.each([
    ["git version 2.37.9", "problem"],
    ["git version 2.38.0", "ok"],
    ["git version 2.9.5", "problem"],
    ["git version 3.0", "ok"],
    ["no number", "problem"],
  ])("knows that %s is %s", (version, level) => {
    expect(findings({ git: ok(version) }, "git")[0]).toMatch(new RegExp(`^${level} `));
  });

  it("says why git cannot be run", () => {
    expect(findings({ git: fail("it is not installed") }, "git")).toMatchInlineSnapshot(`
      [
        "problem git: git cannot be run: it is not installed → install git 2.38 or newer and put it on the PATH",
      ]
    `);
  });

  it("names each wrong line of the operator's file and skips what depends on it", () => {
    const configProblems = ["wavetrain.config.yml:1:1: a", "wavetrain.config.yml:2:1: b"];
    const facts = { ...HOST, configProblems, place: undefined };
    expect(told(decideHost(facts)).slice(2)).toMatchInlineSnapshot(`
      [
        "problem configuration: wavetrain.config.yml:1:1: a → put it right in wavetrain.config.yml; docs/configuration.md lists every key",
        "problem configuration: wavetrain.config.yml:2:1: b → put it right in wavetrain.config.yml; docs/configuration.md lists every key",
        "ok credentials: app 7, its key and webhook secret from the environment",
        "skipped host: data folder, store, sandbox and runners: once wavetrain.config.yml can be used",
      ]
    `);
  });

  it("turns what is missing of the credentials into findings", () => {
    const identity = fail(["APP_ID is not set: it is a number: on a page", "PRIVATE_KEY is bad"]);
    expect(findings({ identity }, "credentials")).toMatchInlineSnapshot(`
      [
        "problem credentials: APP_ID is not set → it is a number: on a page; or let \`wavetrain setup\` make the app",
        "problem credentials: PRIVATE_KEY is bad → see docs/setup.md",
      ]
    `);
  });

  it("says where the credentials come from, and whether others can read them", () => {
    const identity = ok({ appId: 7, source: "file", exposed: "/data/github-app.json" } as const);
    expect(findings({ identity }, "credentials")).toMatchInlineSnapshot(`
      [
        "ok credentials: app 7, its key and webhook secret from \`wavetrain setup\`",
        "problem credentials: /data/github-app.json can be read by other users → chmod 600 /data/github-app.json",
      ]
    `);
  });

  it("looks at the data folder and its disk", () => {
    const { folder } = PLACE;
    expect(inPlace({ folder: { ...folder, exists: false } }, "data-folder")).toEqual([
      "ok data-folder: /data will be made at the first start",
    ]);
    const unwritable = "nothing can be written to /data (EACCES)";
    expect(inPlace({ folder: { ...folder, unwritable } }, "data-folder")).toMatchInlineSnapshot(`
      [
        "problem data-folder: /data: nothing can be written to /data (EACCES) → give the server's user write access, or set dataDir to another folder",
      ]
    `);
    expect(inPlace({ folder: { ...folder, freeBytes: GB - 1 } }, "disk")).toMatchInlineSnapshot(`
      [
        "problem disk: 1.0 GB free at /data, 1.0 GB are wanted → free some, or lower minFreeDisk; until then no run starts",
      ]
    `);
    expect(inPlace({ folder: { ...folder, freeBytes: GB } }, "disk")[0]).toMatch(/^ok/);
    expect(inPlace({ folder: { ...folder, freeBytes: undefined } }, "disk")).toEqual([]);
  });

  it("takes a store that a server holds for right, and one of a newer version for wrong", () => {
    expect(inPlace({ store: { state: "new" } }, "store")[0]).toMatch(/^ok/);
    const held = { state: "held", reason: "in use by process 9" } as const;
    expect(inPlace({ store: held }, "store")).toEqual([
      "ok store: the store is open: in use by process 9",
    ]);
    const newer = { state: "unusable", reason: "written by a newer version" } as const;
    expect(inPlace({ store: newer }, "store")[0]).toMatch(/^problem store: written by a newer/);
  });

  it("warns of agents without a sandbox and refuses one that does not work", () => {
    expect(inPlace({ sandbox: ok({ level: "none" }) }, "sandbox")[0]).toMatch(/^warning/);
    expect(inPlace({ sandbox: fail("bwrap is not installed") }, "sandbox")[0]).toMatch(/^problem/);
  });

  it("says whether what agents start can outlive them, where no sandbox sees to that", () => {
    const without = (processes: NonNullable<Sandbox["processes"]>) =>
      inPlace({ sandbox: ok({ level: "none", processes }) }, "processes")[0];
    expect(inPlace({}, "processes")).toEqual([]);
    expect(without(ok("pid-namespace"))).toMatch(/^ok .*PID namespace$/);
    expect(without(ok("user-namespace"))).toMatch(/^ok .*without sudo$/);
    expect(without(fail("unshare is not installed"))).toMatch(/^warning .*not installed/);
  });

  it.each([
    ["no program", { path: undefined, version: undefined }],
    ["a program that fails", { version: fail("no answer within 15 s") }],
    ["a program that was not asked", { version: undefined }],
    ["a command of the shell", { program: undefined, path: undefined, version: undefined }],
    ["unset variables", { unset: ["ANTHROPIC_API_KEY", "OTHER"] }],
    ["no sandbox where it needs one", { unsafe: "it asks nobody" }],
  ])("looks at a runner: %s", (_name, facts) => {
    expect(inPlace({ runners: [{ ...RUNNER, ...facts }] }, "runner")).toMatchSnapshot();
  });

  it.each([
    ["open", "all that this host can (network: open)"],
    ["none", "nothing on the network"],
    [[], "its provider alone"],
    [["a.example", "10.0.0.0/8"], "a.example, 10.0.0.0/8"],
  ] as const)("says that a runner with network %j may reach %s", (network, reach) => {
    const told = inPlace({ runners: [{ ...RUNNER, network }] }, "runner");
    expect(told).toContain(`ok runner: runner claude may reach ${reach}`);
  });

  it("finds a runner without a key, and one that its sandbox does not show", () => {
    const keys = ["CODEX_API_KEY", "OPENAI_API_KEY"];
    const keyless = { ...RUNNER, name: "codex", keys };
    expect(inPlace({ runners: [keyless] }, "runner").at(-1)).toBe(
      "problem runner: runner codex has no key: it needs one of CODEX_API_KEY, OPENAI_API_KEY → set it where wavetrain start runs, and name it in runners.codex.env",
    );
    const named = { ...keyless, unset: ["CODEX_API_KEY"] };
    expect(inPlace({ runners: [named] }, "runner").join()).not.toContain("has no key");
    const outside = { what: "it is not in the sandbox", fix: "add readable: [/opt/ours]" };
    expect(inPlace({ runners: [{ ...RUNNER, outside }] }, "runner")[0]).toBe(
      "problem runner: runner claude: it is not in the sandbox → add readable: [/opt/ours]",
    );
  });
});
