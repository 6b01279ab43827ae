import { describe, expect, it } from "vitest";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";

function problems(config: object): readonly string[] {
  const { error } = operatorConfigSchema.safeParse(config);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const command = "true";

describe("the operator's pool", () => {
  it("reads amounts of memory", () => {
    const config = operatorConfigSchema.parse({
      runners: { a: { command, memory: "2GB" }, b: { command, memory: 1000 } },
    });
    expect(config.runners.a?.memory).toBe(2 * 2 ** 30);
    expect(config.runners.b?.memory).toBe(1000);
    expect(config.minFreeMemory).toBe(512 * 2 ** 20);
  });

  it("says what an amount of memory looks like", () => {
    expect(problems({ runners: { a: { command } }, minFreeMemory: "2 gigs" })).toEqual([
      expect.stringMatching(/expected an amount of memory/),
    ]);
  });

  it.each([
    [{ a: { command, fallback: ["b"] }, b: { command } }, []],
    [
      { a: { command, fallback: ["c"] }, b: { command } },
      ["runners.a.fallback.0: expected one of the other runners: b"],
    ],
    [{ a: { command, fallback: ["a"] } }, ["runners.a.fallback.0: there is no other runner"]],
  ])("says which fallback is no runner: %j", (runners, expected) => {
    expect(problems({ runners })).toEqual(expected);
  });
});
