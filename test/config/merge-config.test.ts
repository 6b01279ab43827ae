import { describe, expect, it } from "vitest";
import { mergeConfig } from "../../src/config/merge-config.ts";
import { aConfig } from "../support/a-config.ts";

function merged(file: Record<string, unknown>, fixed: Record<string, unknown>) {
  const result = mergeConfig(aConfig(file), fixed);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

describe("mergeConfig", () => {
  it("changes nothing when the operator fixes nothing", () => {
    const file = { verify: "npm test", timeouts: { run: "2h" }, limits: { parallel: 7 } };
    expect(merged(file, {})).toEqual(aConfig(file));
  });

  it("takes the operator's word member by member", () => {
    const config = merged(
      { limits: { parallel: 7, attempts: 5 }, verify: "npm test" },
      { limits: { parallel: 2 }, base: "release" },
    );
    expect(config.limits).toMatchObject({ parallel: 2, attempts: 5 });
    expect(config).toMatchObject({ base: "release", verify: "npm test" });
  });

  it("replaces a list as a whole", () => {
    expect(merged({ shared: ["a.lock", "b.lock"] }, { shared: ["c.lock"] }).shared).toEqual([
      "c.lock",
    ]);
  });

  it("reads the operator's durations", () => {
    expect(merged({ timeouts: { run: "2h" } }, { timeouts: { verify: "1m" } }).timeouts).toEqual({
      run: 7_200_000,
      idle: 600_000,
      verify: 60_000,
    });
  });

  it("says what is wrong when each is right and both together are not", () => {
    const result = mergeConfig(aConfig({ board: { columns: { ready: "Todo" } } }), {
      board: { columns: { done: "Todo" } },
    });
    expect(result).toEqual({
      ok: false,
      error: "board.columns: expected a different column for each role",
    });
  });

  it("is not led astray by the name of a prototype", () => {
    const fixed = JSON.parse('{"__proto__": {"verify": "evil"}}') as Record<string, unknown>;
    expect(mergeConfig(aConfig(), fixed).ok).toBe(false);
    expect(aConfig().verify).toBeUndefined();
  });
});
