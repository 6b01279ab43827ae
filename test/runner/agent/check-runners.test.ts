import { describe, expect, it } from "vitest";
import { createFiles } from "../../../src/adapters/host/files.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import type { Network } from "../../../src/domain/network/network.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { checkRunners } from "../../../src/runner/agent/check-runners.ts";
import { fail, ok } from "../../../src/shared/result.ts";

async function warningsOf(
  preset: string,
  level: Sandbox["level"],
  { network = "open", ...more }: Partial<Sandbox> & { readonly network?: Network } = {},
): Promise<readonly string[]> {
  const said: string[] = [];
  const warn = (_: unknown, message: string): number => said.push(message);
  const log = { debug: () => 0, info: () => 0, warn, error: () => 0, fatal: () => 0 };
  const operator = operatorConfigSchema.parse({ runners: { a: { preset, network } } });
  const sandbox: Sandbox = { level, wrap: (argv) => argv, ...more };
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

  it("says when processes may outlive their commands", async () => {
    const shared = { processes: fail("unshare is not installed") };
    const said = "processes may outlive their commands";
    expect(await warningsOf("codex", "none", shared)).toContain(said);
    const own = { processes: ok("pid-namespace" as const) };
    expect(await warningsOf("codex", "none", own)).not.toContain(said);
  });

  it.each(["opencode", "aider"])("refuses %s without a sandbox", async (preset) => {
    await expect(warningsOf(preset, "none")).rejects.toMatchObject({ code: "config-invalid" });
    expect(await warningsOf(preset, "bubblewrap")).toHaveLength(1);
  });

  it("refuses a preset that could not reach its provider, and says what to write", async () => {
    await expect(warningsOf("claude", "bubblewrap", { network: "none" })).rejects.toThrow(
      "runner a can do nothing with network: none; a list, also an empty one ([]), opens the way to api.anthropic.com",
    );
    expect(await warningsOf("claude", "bubblewrap", { network: [] })).toHaveLength(1);
    expect(await warningsOf("opencode", "bubblewrap", { network: "none" })).toHaveLength(1);
  });
});
