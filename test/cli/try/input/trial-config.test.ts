import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TryOptions } from "../../../../src/cli/try/input/check-input.ts";
import { TRIAL_REASONS, trialConfig } from "../../../../src/cli/try/input/trial-config.ts";
import {
  departures,
  differencesFromDefaults,
} from "../../../../src/config/repository/differences.ts";

const OPTIONS: TryOptions = {
  repo: undefined,
  tasks: [],
  command: "true",
  runner: undefined,
  verify: "make",
  parallel: 7,
  approve: "auto",
  pacing: "polite",
  port: 0,
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

async function departuresOf(given: Partial<TryOptions>) {
  const place = { folder, url: "http://127.0.0.1:1", repo: "local/text-tools" };
  const config = await trialConfig({ ...OPTIONS, ...given }, place);
  return departures(differencesFromDefaults(config, TRIAL_REASONS));
}

describe("trialConfig", () => {
  it("is the default configuration in all that matters but the sandbox of a typed command", async () => {
    const differences = await departuresOf({});
    expect(differences.map(({ path }) => path)).toEqual(["sandbox", ...NOT_ROOTS]);
  });

  it("shows the sample's runner only its own files", async () => {
    const differences = await departuresOf({ command: undefined });
    const paths = differences.map(({ path }) => path).filter((path) => path !== "sandbox");
    expect(paths).toEqual(["readable"]);
    expect(differences.every(({ reason }) => reason !== undefined)).toBe(true);
  });

  it("writes as fast as it can only when asked to", async () => {
    expect(await departuresOf({ pacing: "off", verify: undefined })).toMatchObject([
      { path: "github.pacing", value: "off", reason: "asked for by --pacing off" },
      { path: "sandbox", reason: TRIAL_REASONS["sandbox"] },
      ...NOT_ROOTS.map((path) => ({ path, reason: TRIAL_REASONS[path] })),
    ]);
  });
});
