import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TryOptions } from "../../../../src/cli/try/input/options.ts";
import {
  trialConfig,
  trialSettings,
  TRY_REASONS,
} from "../../../../src/cli/try/input/trial-config.ts";
import {
  departures,
  differencesFromDefaults,
} from "../../../../src/config/repository/differences.ts";

const OPTIONS: TryOptions = {
  repo: undefined,
  tasks: [],
  command: "true",
  runner: undefined,
  files: ["/home/me/agent.sh"],
  setup: undefined,
  verify: "make",
  env: ["WORD"],
  sandbox: undefined,
  home: "user",
  parallel: 7,
  approve: "auto",
  pacing: "polite",
  port: 0,
  stay: false,
  json: false,
  keep: false,
};

/** Nobody but root has a PID namespace in which a typed command could do the same. */
const NOT_ROOTS = process.getuid?.() === 0 ? [] : ["pidNamespace"];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trial-config-"));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

function configOf(given: Partial<TryOptions>) {
  const place = { folder, url: "http://127.0.0.1:1", repo: "local/text-tools" };
  return trialConfig({ ...OPTIONS, ...given }, place);
}

async function departuresOf(given: Partial<TryOptions>) {
  return departures(differencesFromDefaults(await configOf(given), TRY_REASONS));
}

const QUIET = "repositories.*.feedback.quiet";

describe("trialConfig", () => {
  it("is the default configuration in all that matters but what a typed command runs in, and the pause after a review", async () => {
    const differences = await departuresOf({});
    expect(differences.map(({ path }) => path)).toEqual(["sandbox", ...NOT_ROOTS, "home", QUIET]);
  });

  it("keeps a typed command in when that is asked for: only what was named is seen", async () => {
    expect(await configOf({ sandbox: "bubblewrap" })).toMatchObject({
      sandbox: "auto",
      home: "own",
      readable: ["/home/me/agent.sh"],
      runners: { local: { command: "true", env: ["WORD"] } },
    });
  });

  it("leaves a preset a HOME of its own, with and without a sandbox", async () => {
    const runner = { name: "claude", runner: { preset: "claude" as const }, sandbox: undefined };
    const bubblewrap = await configOf({ command: undefined, runner, sandbox: "bubblewrap" });
    expect(bubblewrap).toMatchObject({ sandbox: "auto", home: "own" });
    const none = await configOf({ command: undefined, runner, sandbox: "none" });
    expect(none).toMatchObject({ sandbox: "none", home: "own" });
  });

  it("has setup where it is asked for", async () => {
    const { repositories } = await configOf({ setup: "npm ci" });
    expect(repositories).toMatchObject({ "local/text-tools": { setup: "npm ci", verify: "make" } });
  });

  it("shows the sample's runner only its own files", async () => {
    const differences = await departuresOf({ command: undefined });
    const paths = differences.map(({ path }) => path).filter((path) => path !== "sandbox");
    expect(paths).toEqual(["readable", QUIET]);
    expect(differences.every(({ reason }) => reason !== undefined)).toBe(true);
  });

  it("writes as fast as it can only when asked to", async () => {
    expect(await departuresOf({ pacing: "off", verify: undefined })).toMatchObject([
      { path: "github.pacing", value: "off", reason: "asked for by --pacing off" },
      { path: "sandbox", reason: TRY_REASONS["sandbox"] },
      ...NOT_ROOTS.map((path) => ({ path, reason: TRY_REASONS[path] })),
      { path: "home", value: "user", reason: TRY_REASONS["home"] },
      { path: QUIET, value: 5000 },
    ]);
  });
});

describe("trialSettings", () => {
  it("says what does not go together", async () => {
    const place = { folder, url: "http://127.0.0.1:1", repo: "local/text-tools" };
    const runner = {
      name: "ours",
      runner: { command: "true", network: ["example.com"] },
      sandbox: undefined,
    };
    const options = { ...OPTIONS, command: undefined, runner, sandbox: "none" as const };
    expect(await trialSettings(options, place)).toMatchObject({
      ok: false,
      error: expect.stringContaining("runners.ours.network: ") as string,
    });
  });
});
