import { describe, expect, it } from "vitest";
import type { Overrides } from "../../../src/config/operator/env.ts";
import { readOperatorConfig } from "../../../src/config/operator/read-operator-config.ts";
import { problemLine } from "../../../src/config/read/config-problem.ts";

const NO_OVERRIDES: Overrides = {
  apiUrl: undefined,
  gitUrl: undefined,
  dataDir: undefined,
  databaseUrl: undefined,
  host: undefined,
  port: undefined,
};
const MINIMAL = "runners:\n  codex:\n    command: codex exec -\n";

function problems(text: string): readonly string[] {
  const read = readOperatorConfig({ text, file: "config.yml" }, NO_OVERRIDES);
  return read.ok ? [] : read.error.map(problemLine);
}

describe("readOperatorConfig", () => {
  it("needs nothing but a runner", () => {
    const read = readOperatorConfig({ text: MINIMAL, file: "config.yml" }, NO_OVERRIDES);
    expect(read).toMatchInlineSnapshot(`
      {
        "ok": true,
        "value": {
          "budget": {
            "perDay": {},
            "perTask": {},
          },
          "claimsStaleAfter": 300000,
          "cleanup": {
            "every": 3600000,
            "keepLogsFor": 2592000000,
            "keepMirrorsFor": 2592000000,
            "keepRescuesFor": 2592000000,
            "keepSetupsFor": 1209600000,
            "spares": 8,
          },
          "container": {
            "args": [],
            "program": "docker",
          },
          "control": {
            "hosts": [],
            "remote": false,
          },
          "dataDir": ".wavetrain",
          "deliveriesEvery": 300000,
          "fallbackAfter": 600000,
          "finishing": 2,
          "github": {
            "apiUrl": "https://api.github.com",
            "gitUrl": "https://github.com",
            "pacing": "polite",
          },
          "home": "own",
          "keepEventsFor": 7776000000,
          "keepSignalsFor": 604800000,
          "launchDelay": 0,
          "maxRunDisk": 10737418240,
          "minFreeDisk": 1073741824,
          "minFreeMemory": 536870912,
          "network": {
            "setup": "open",
            "train": "open",
          },
          "onStop": "leave",
          "personalProjects": {},
          "pidNamespace": "auto",
          "ports": {
            "first": 20000,
            "last": 29999,
          },
          "readable": [],
          "reconcileEvery": 60000,
          "repositories": {},
          "rest": {
            "failures": 3,
            "first": 60000,
            "longest": 1800000,
          },
          "retry": {
            "backoff": 10000,
            "maxBackoff": 300000,
          },
          "runners": {
            "codex": {
              "args": [],
              "command": "codex exec -",
              "env": [],
              "fallback": [],
              "memory": 0,
              "network": "open",
              "sizes": [],
              "slots": 2,
            },
          },
          "sandbox": "auto",
          "serve": {
            "allow": [],
            "deny": [],
          },
          "server": {
            "host": "127.0.0.1",
            "port": 3000,
          },
          "slots": 4,
          "stopTimeout": 600000,
          "store": {
            "url": undefined,
          },
        },
      }
    `);
  });

  it("lets the environment count more than the file", () => {
    const overrides = { ...NO_OVERRIDES, port: 0, apiUrl: "http://127.0.0.1:1/api/v3/" };
    const text = `${MINIMAL}server: { port: 4000, host: 0.0.0.0 }\n`;
    const read = readOperatorConfig({ text, file: "config.yml" }, overrides);
    expect(read.ok && read.value).toMatchObject({
      server: { host: "0.0.0.0", port: 0 },
      github: { apiUrl: "http://127.0.0.1:1/api/v3", gitUrl: "https://github.com" },
    });
  });

  it("takes the address of a database from the file, or with its password from the environment", () => {
    const read = (url: string | undefined) => {
      const text = `${MINIMAL}store: { url: "postgres://db.example.com/wavetrain" }\n`;
      const config = readOperatorConfig(
        { text, file: "config.yml" },
        { ...NO_OVERRIDES, databaseUrl: url },
      );
      return config.ok && config.value.store.url;
    };
    expect(read(undefined)).toBe("postgres://db.example.com/wavetrain");
    expect(read("postgres://ada:pw@db/w")).toBe("postgres://ada:pw@db/w");
  });

  it("does not repeat a password when the address is wrong", () => {
    const said = problems(`${MINIMAL}store: { url: "mysql://ada:s3cret@db/w" }`);
    expect(said).toEqual(["config.yml:4:15: store.url: expected a postgres:// address"]);
  });

  it.each([
    ["", "config.yml:1:1: runners: expected a group of keys; it is missing"],
    ["runners: {}", "name at least one runner"],
    [
      "runners:\n  Codex X:\n    command: x",
      "config.yml:2:3: runners.Codex X: expected a runner's name",
    ],
    [
      "runners:\n  codex:\n    slots: 2",
      "config.yml:3:5: runners.codex.command: expected a command, or a preset (codex, claude",
    ],
    ["runners:\n  codex:\n    command: ''", "expected a text that is not empty"],
    ["runners:\n  codex:\n    comand: x\n    command: y", "did you mean command?"],
    [`${MINIMAL}    preset: codex`, "config.yml:3:14: runners.codex.command: expected either"],
    [`${MINIMAL}    model: best`, "config.yml:4:12: runners.codex.model: goes with a preset only"],
    [`${MINIMAL}    args: [-v]`, "runners.codex.args: goes with a preset only"],
    ["runners:\n  a:\n    preset: codx", "config.yml:3:13: runners.a.preset: expected codex or"],
    ["runners:\n  a:\n    preset: codex\n    model: --yolo", "the name of a model"],
    [
      `${MINIMAL}    prompt: Do {{taks}}.`,
      "config.yml:4:13: runners.codex.prompt: unknown variable {{taks}}; did you mean {{task}}?",
    ],
    [`${MINIMAL}    prompt: Do {{title}}.`, "expected {{task}} or {{taskFile}}"],
    [`${MINIMAL}    prompt: /do {{task}}`, "begins with a word"],
    [`${MINIMAL}    prompt: "Do:\\n{{title}}\\n{{task}}"`, "expected words before {{title}}"],
    [`${MINIMAL}sandbox: maybe`, "config.yml:4:10: sandbox: expected auto or bubblewrap or"],
    [`${MINIMAL}sandbox: container`, "container.image: expected the name of an image"],
    [`${MINIMAL}readable: [lib]`, "expected an absolute path"],
    [`${MINIMAL}readable: [/a/../etc]`, "expected a path without .."],
    [`${MINIMAL}ports: { first: 3000, last: 3005 }`, "at least 19 more than ports.first"],
    [`${MINIMAL}    env: [WEBHOOK_SECRET]`, "secrets are never given to a runner"],
    [`${MINIMAL}    env: ['A=B']`, "the name of an environment variable"],
    [`${MINIMAL}defaultRunner: claude`, "expected one of the runners: codex"],
    [`${MINIMAL}github: { apiUrl: "ftp://x" }`, "expected an http or https address"],
    [`${MINIMAL}repositories: { shop: {} }`, "expected a repository as owner/name"],
    [
      `${MINIMAL}repositories:\n  acme/shop:\n    limits: { parallel: many }`,
      "config.yml:6:25: repositories.acme/shop.limits.parallel",
    ],
    [`${MINIMAL}server: { port: 70000 }`, "expected at most 65535; found 70000"],
  ])("refuses %j", (text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem)]);
  });
});
