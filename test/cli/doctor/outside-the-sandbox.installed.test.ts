import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPlace } from "../../../src/cli/doctor/host-questions.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { decideRunner } from "../../../src/doctor/decide/decide-runner.ts";
import { bubblewrapWorks } from "../../support/installed.ts";
import { AGENT_RUNNER } from "../../support/world-options.ts";
import { World } from "../../support/world.ts";

const WORKS = await bubblewrapWorks();

let folder: string;
let agent: string;
beforeEach(async () => {
  // Not below a folder that every sandbox has of its own.
  folder = await mkdtemp("/var/tmp/wavetrain-ours-");
  agent = join(folder, "agent");
  await writeFile(agent, "#!/bin/sh\n");
  await chmod(agent, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

async function findings(runner: object, more: object = {}): Promise<readonly string[]> {
  const dataDir = join(folder, "data");
  const operator = operatorConfigSchema.parse({ runners: { ours: runner }, dataDir, ...more });
  const { runners } = await readPlace(operator, { PATH: process.env["PATH"] });
  const found = runners.flatMap(decideRunner).filter(({ level }) => level === "problem");
  return found.map(({ message, fix }) => `${message} → ${fix}`);
}

describe.skipIf(!WORKS)("a runner outside of the sandbox", () => {
  it("is found by doctor, with what to write, and is well once that is written", async () => {
    const fix = `add it to the operator's file, as readable: [${folder}]`;
    expect(await findings({ command: `${agent} --now` })).toEqual([
      `runner ours: the program ${agent} is on this machine, but not in the sandbox → ${fix}`,
    ]);
    expect(await findings({ command: `sh ${agent}` })).toEqual([
      `runner ours: sh needs ${agent}, which is not in the sandbox → ${fix}`,
    ]);
    expect(await findings({ command: `${agent} --now` }, { readable: [folder] })).toEqual([]);
    expect(await findings({ command: `${agent} --now` }, { sandbox: "none" })).toEqual([]);
  });

  it("is said at the start of the server", async () => {
    const runners = { agent: { ...AGENT_RUNNER, command: agent } };
    const world = await World.create({ operator: { runners, sandbox: "bubblewrap" } });
    try {
      expect((await world.status()).notices).toEqual([
        `runner agent: the program ${agent} is on this machine, but not in the sandbox; add it to the operator's file, as readable: [${folder}]`,
      ]);
    } finally {
      await world.close();
    }
  });
});
