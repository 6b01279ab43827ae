import { describe, expect, it } from "vitest";
import { childEnv } from "../../src/workspace/child-env.ts";
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
