import { describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../src/config/schema.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { checkRunners } from "../../src/runner/check-runners.ts";
import { createFiles } from "../../src/adapters/files.ts";

async function warningsOf(preset: string, level: Sandbox["level"]): Promise<readonly string[]> {
  const said: string[] = [];
  const warn = (_: unknown, message: string): number => said.push(message);
  const log = { debug: () => 0, info: () => 0, warn, error: () => 0, fatal: () => 0 };
  const operator = operatorConfigSchema.parse({ runners: { a: { preset } } });
  const sandbox: Sandbox = { level, wrap: (argv) => argv };
  await checkRunners({ operator, sandbox, files: createFiles({ PATH: "/nowhere" }), log });
  return said;
}

describe("checkRunners", () => {
  it("names a program that is not installed, unless a container has its own", async () => {
    expect(await warningsOf("codex", "bubblewrap")).toEqual(["program of a runner not found"]);
    expect(await warningsOf("codex", "container")).toEqual([]);
  });

  it("says that there is no sandbox", async () => {
    expect(await warningsOf("codex", "none")).toContain("runners have no sandbox");
  });

  it.each(["opencode", "aider"])("refuses %s without a sandbox", async (preset) => {
    await expect(warningsOf(preset, "none")).rejects.toMatchObject({ code: "config-invalid" });
    expect(await warningsOf(preset, "bubblewrap")).toHaveLength(1);
  });
});
