import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/adapters/sandbox.ts";
import { operatorConfigSchema } from "../../src/config/schema.ts";

const VIEW = {
  workspace: "/data/tree",
  home: "/data/home",
  tmp: "/data/tmp",
  readable: ["/data/tree/.git"],
  marker: "acme/shop.5.1@here",
  variables: ["PATH", "HOME", "API_KEY"],
};

async function sandboxFor(members: Readonly<Record<string, unknown>>, path = "/usr/bin:/bin") {
  const operator = operatorConfigSchema.parse({ runners: { a: { command: "a" } }, ...members });
  return createSandbox({ operator, environment: { PATH: path } });
}

describe("createSandbox", () => {
  it("leaves a command as it is only where the operator says so", async () => {
    const sandbox = await sandboxFor({ sandbox: "none" });
    expect(sandbox.level).toBe("none");
    expect(sandbox.wrap(["codex", "exec"], VIEW)).toEqual(["codex", "exec"]);
  });

  it("puts a command into a container with what it may see and the names of its variables", async () => {
    const container = { program: "podman", image: "agents:1", args: ["--network", "model"] };
    const sandbox = await sandboxFor({ sandbox: "container", container });
    expect(sandbox.level).toBe("container");
    const user = `${process.getuid?.()}:${process.getgid?.()}`;
    expect(sandbox.wrap(["codex", "exec"], VIEW)).toEqual([
      ...["podman", "run", "--name", "wavetrain-acme-shop-5-1-here-fa5119077f48"],
      ...["--rm", "--interactive", "--init", "--user", user],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...["--mount", "type=bind,source=/data/tree,target=/data/tree"],
      ...["--mount", "type=bind,source=/data/home,target=/data/home"],
      ...["--mount", "type=bind,source=/data/tmp,target=/data/tmp"],
      ...["--mount", "type=bind,source=/data/tree/.git,target=/data/tree/.git,readonly"],
      ...["--workdir", "/data/tree", "--env", "HOME", "--env", "API_KEY"],
      ...["--network", "model", "agents:1", "codex", "exec"],
    ]);
  });
});
