import { describe, expect, it } from "vitest";
import { childEnv, proxyVariables } from "../../src/workspace/child-env.ts";
import type { ChildEnvironment } from "../../src/workspace/child-env.ts";

function envFor(members: Partial<ChildEnvironment> = {}) {
  return childEnv({
    server: { PATH: "/bin", HOME: "/root", PRIVATE_KEY: "secret", API_KEY: "k", TERM: undefined },
    allowed: [],
    home: "/run/home",
    tmp: "/run/tmp",
    run: "marker",
    extra: {},
    ...members,
  });
}

describe("childEnv", () => {
  it("holds nothing of the server's but what every program needs", () => {
    expect(envFor()).toEqual({
      PATH: "/bin",
      HOME: "/run/home",
      TMPDIR: "/run/tmp",
      WAVETRAIN_RUN_ID: "marker",
    });
  });

  it("holds what the operator allows, if the server has it", () => {
    const env = envFor({ allowed: ["API_KEY", "NOT_THERE"] });
    expect(env).toMatchObject({ API_KEY: "k" });
    expect(env).not.toHaveProperty("NOT_THERE");
  });

  it("has a home of its own whatever the operator allows", () => {
    expect(envFor({ allowed: ["HOME", "TMPDIR"] })).toMatchObject({
      HOME: "/run/home",
      TMPDIR: "/run/tmp",
    });
  });

  it("adds what the task says about itself", () => {
    expect(envFor({ extra: { WAVETRAIN_TASK_ID: "a" } })).toMatchObject({ WAVETRAIN_TASK_ID: "a" });
  });
});

describe("childEnv of a command that runs as typed", () => {
  const server = {
    PATH: "/bin",
    HOME: "/home/me",
    API_KEY: "k",
    GIT_SSH_COMMAND: "ssh -i mine",
    PRIVATE_KEY: "secret",
    WEBHOOK_SECRET: "secret",
    GIT_DIR: "/elsewhere/.git",
    GIT_INDEX_FILE: "/elsewhere/index",
    npm_package_name: "wavetrain",
    INIT_CWD: "/elsewhere",
  };

  it("has the user's HOME and variables, but neither the app's secrets nor what is about another place", () => {
    expect(envFor({ server, home: undefined, extra: { WAVETRAIN_TASK_ID: "a" } })).toEqual({
      PATH: "/bin",
      HOME: "/home/me",
      API_KEY: "k",
      GIT_SSH_COMMAND: "ssh -i mine",
      TMPDIR: "/run/tmp",
      WAVETRAIN_RUN_ID: "marker",
      WAVETRAIN_TASK_ID: "a",
    });
  });
});

describe("proxyVariables", () => {
  it.each(["open", "none"] as const)("are none where the network is %s", (network) => {
    expect(proxyVariables(network)).toEqual({});
  });

  it("name the proxy in every way that programs look for it", () => {
    const variables = proxyVariables(["example.com"]);
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
      expect(variables[name]).toBe("http://127.0.0.1:3128");
      expect(variables[name.toLowerCase()]).toBe(variables[name]);
    }
    expect(variables["no_proxy"]).toBe(variables["NO_PROXY"]);
    expect(variables["NODE_USE_ENV_PROXY"]).toBe("1");
  });

  it.each([
    [["example.com"], "localhost,127.0.0.1,::1"],
    [["127.0.0.1:11434"], "localhost,::1"],
    [["localhost:8080", "[::1]:8080"], "127.0.0.1"],
    [["127.0.0.10", "localhost.example"], "localhost,127.0.0.1,::1"],
  ])("with %j leave %s to the sandbox itself", (network, direct) => {
    expect(proxyVariables(network)["NO_PROXY"]).toBe(direct);
  });
});
