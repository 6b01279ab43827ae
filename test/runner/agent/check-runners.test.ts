import { describe, expect, it } from "vitest";
import { createFiles } from "../../../src/adapters/host/files.ts";
import { createNotices } from "../../../src/app/notices.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import type { Network } from "../../../src/domain/network/network.ts";
import type { FoundInside, Sandbox } from "../../../src/ports/sandbox.ts";
import { checkRunners } from "../../../src/runner/agent/check-runners.ts";
import { fail, ok } from "../../../src/shared/result.ts";

async function check(
  runner: Readonly<Record<string, unknown>>,
  { level, found = { kind: "found" }, environment = {}, ...more }: Partial<Surroundings>,
) {
  const said: string[] = [];
  const warn = (_: unknown, message: string): number => said.push(message);
  const log = { debug: () => 0, info: () => 0, warn, error: warn, fatal: () => 0 };
  const notices = createNotices(log);
  await checkRunners({
    operator: operatorConfigSchema.parse({ runners: { a: runner } }),
    sandbox: { level: level ?? "bubblewrap", wrap: (argv) => argv, ...more },
    files: createFiles({ PATH: "/nowhere" }),
    log,
    notices,
    environment,
    findInside: () => Promise.resolve(found),
  });
  return { said, notices: notices.ofServer() };
}

interface Surroundings extends Sandbox {
  readonly found: FoundInside;
  readonly environment: Readonly<Record<string, string>>;
}

async function warningsOf(
  preset: string,
  level: Sandbox["level"],
  { network = "open", ...more }: Partial<Sandbox> & { readonly network?: Network } = {},
): Promise<readonly string[]> {
  const environment = { OPENAI_API_KEY: "x", ANTHROPIC_API_KEY: "x" };
  const env = Object.keys(environment);
  return (await check({ preset, network, env }, { level, environment, ...more })).said;
}

const MISSING = { kind: "missing", name: "codex" } as const;

describe("checkRunners", () => {
  it("says loudly what the sandbox does not have, and what to write", async () => {
    const key = { environment: { CODEX_API_KEY: "x" } };
    const codex = { preset: "codex", env: ["CODEX_API_KEY"] };
    expect(await check(codex, key)).toEqual({ said: [], notices: [] });
    const none = await check(codex, { ...key, found: MISSING });
    expect(none.said).toEqual(["runner cannot work"]);
    expect(none.notices).toEqual([expect.stringContaining("runner a: the program codex is not")]);
    const found = { kind: "missing", name: "/bin/sh" } as const;
    expect((await check({ command: "/bin/sh x" }, { found })).notices).toEqual([
      "runner a: the program /bin/sh is on this machine, but not in the sandbox; add it to the operator's file, as readable: [/bin/sh]",
    ]);
    const untried = { kind: "untried", reason: "slow" } as const;
    expect((await check({ command: "/bin/sh x" }, { found: untried })).notices).toEqual([]);
  });

  it("says which key a preset lacks", async () => {
    expect((await check({ preset: "gemini" }, {})).notices).toEqual([
      "runner a: it has no key: set GEMINI_API_KEY where wavetrain runs, and name it in runners.a.env",
    ]);
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
    expect(await warningsOf(preset, "bubblewrap")).toEqual([]);
  });

  it("refuses a preset that could not reach its provider, and says what to write", async () => {
    await expect(warningsOf("claude", "bubblewrap", { network: "none" })).rejects.toThrow(
      "runner a can do nothing with network: none; a list, also an empty one ([]), opens the way to api.anthropic.com",
    );
    expect(await warningsOf("claude", "bubblewrap", { network: [] })).toEqual([]);
    expect(await warningsOf("opencode", "bubblewrap", { network: "none" })).toEqual([]);
  });
});
