import { describe, expect, it, vi } from "vitest";
import { createSandbox } from "../../../src/adapters/sandbox/create-sandbox.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { fail } from "../../../src/shared/result.ts";

const VIEW = {
  workspace: "/data/tree",
  home: "/data/home",
  tmp: "/data/tmp",
  readable: ["/data/tree/.git"],
  marker: "acme/shop.5.1@here",
  variables: { PATH: "/bin", HOME: "/data/home", API_KEY: "secret" },
  network: "open",
  gate: "/data/gate",
} as const;

async function sandboxFor(members: Readonly<Record<string, unknown>>, path = "/usr/bin:/bin") {
  const operator = operatorConfigSchema.parse({ runners: { a: { command: "a" } }, ...members });
  return createSandbox({ operator, environment: { PATH: path } });
}

describe("createSandbox", () => {
  it("leaves a command as it is only where the operator says so", async () => {
    const sandbox = await sandboxFor({ sandbox: "none", pidNamespace: "none" });
    expect(sandbox).toMatchObject({ level: "none", processes: { ok: false } });
    expect(sandbox.wrap(["codex", "exec"], VIEW)).toEqual(["codex", "exec"]);
  });

  it("says why processes are not kept together, and goes on without", async () => {
    const sandbox = await sandboxFor({ sandbox: "none" }, "/nowhere");
    expect(sandbox.processes).toEqual(fail("unshare is not installed"));
    expect(sandbox.wrap(["codex", "exec"], VIEW)).toEqual(["codex", "exec"]);
  });

  it("puts a command into a container with what it may see and the names of its variables", async () => {
    const container = { program: "podman", image: "agents:1", args: ["--network", "model"] };
    const sandbox = await sandboxFor({ sandbox: "container", container });
    expect(sandbox.level).toBe("container");
    const user = `${process.getuid?.()}:${process.getgid?.()}`;
    const argv = sandbox.wrap(["codex", "exec"], VIEW);
    // Settings of the client are the server's: with the run's HOME an agent could have written them.
    const client = argv.slice(0, argv.indexOf("podman"));
    expect(client.slice(0, 3)).toEqual(["env", "-u", "HOME"]);
    expect(argv.slice(client.length)).toEqual([
      "podman",
      "run",
      "--name",
      "wavetrain-acme-shop-5-1-here-fa5119077f48",
      "--rm",
      "--interactive",
      "--init",
      "--user",
      user,
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges",
      "--mount",
      "type=bind,source=/data/tree,target=/data/tree",
      "--mount",
      "type=bind,source=/data/home,target=/data/home",
      "--mount",
      "type=bind,source=/data/tmp,target=/data/tmp",
      "--mount",
      "type=bind,source=/data/tree/.git,target=/data/tree/.git,readonly",
      "--workdir",
      "/data/tree",
      "--env",
      "HOME=/data/home",
      "--env",
      "API_KEY",
      "--network",
      "model",
      "agents:1",
      "codex",
      "exec",
    ]);
  });

  it.each([
    ["podman", 1000, true],
    ["/usr/bin/podman", 1000, true],
    ["podman", 0, false],
    ["docker", 1000, false],
  ])("with %s of user %i keeps its numbers: %s", async (program, uid, keeps) => {
    const spy = vi.spyOn(process, "getuid").mockReturnValue(uid);
    try {
      const container = { program, image: "agents:1" };
      const argv = (await sandboxFor({ sandbox: "container", container })).wrap(["x"], VIEW);
      expect(argv.join(" ").includes(" --userns keep-id ")).toBe(keeps);
    } finally {
      spy.mockRestore();
    }
  });
});
