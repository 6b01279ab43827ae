import { describe, expect, it } from "vitest";
import { problemLine } from "../../../src/config/read/config-problem.ts";
import {
  defaultRepoConfig,
  readRepoConfig,
  mergeConfig,
} from "../../../src/config/repository/read-repo-config.ts";
import { aConfig } from "../../support/a-config.ts";

function problems(text: string): readonly string[] {
  const read = readRepoConfig(text, "wavetrain.yml");
  return read.ok ? [] : read.error.map(problemLine);
}

describe("readRepoConfig", () => {
  it.each([["", "# nothing yet\n", "{}", "limits:\n  parallel:\nlabels:\n", "---\n"]])(
    "gives every value its default for %j",
    (text) => {
      expect(readRepoConfig(text)).toEqual({ ok: true, value: defaultRepoConfig() });
    },
  );

  it("reads what is written and keeps the other defaults", () => {
    const read = readRepoConfig(
      "board: { project: 7 }\nverify: npm test\nlimits:\n  parallel: 8\ntimeouts: { run: 90s }\n",
    );
    expect(read.ok && read.value).toEqual({
      ...defaultRepoConfig(),
      board: { ...defaultRepoConfig().board, project: 7 },
      verify: "npm test",
      limits: { ...defaultRepoConfig().limits, parallel: 8 },
      timeouts: { ...defaultRepoConfig().timeouts, run: 90_000 },
    });
  });

  it.each([
    ["500ms", 500],
    ["007s", 7000],
    ["15m", 900_000],
    ["2h", 7_200_000],
    ["1500", 1500],
  ])("reads a duration of %s", (written, ms) => {
    const read = readRepoConfig(`timeouts: { run: ${written} }`);
    expect(read.ok && read.value.timeouts.run).toBe(ms);
  });

  it("names file, line, column, key and what was expected, in the order of the lines", () => {
    const text = [
      "schedul: waves",
      "schedule: wave",
      "limits:",
      "  parallel: many",
      "  claims: 0",
      "  attempts: 1.5",
      "timeouts:",
      "  run: 5 days",
      "  verify: 9999h",
      "barriers: src",
      "labels: 3",
      "shared: [a, '']",
      "verify: [npm, test]",
    ].join("\n");
    expect(problems(text)).toMatchInlineSnapshot(`
      [
        "wavetrain.yml:1:1: schedul: unknown key; did you mean schedule?",
        "wavetrain.yml:2:11: schedule: expected rolling or waves; found "wave"",
        "wavetrain.yml:4:13: limits.parallel: expected a number; found "many"",
        "wavetrain.yml:5:11: limits.claims: expected at least 1; found 0",
        "wavetrain.yml:6:13: limits.attempts: expected a whole number; found 1.5",
        "wavetrain.yml:8:8: timeouts.run: expected a duration such as 90s, 15m or 2h, or a number of milliseconds; found "5 days"",
        "wavetrain.yml:9:11: timeouts.verify: expected at most 24 days; found "9999h"",
        "wavetrain.yml:10:11: barriers: expected a list; found "src"",
        "wavetrain.yml:11:9: labels: expected a group of keys; found 3",
        "wavetrain.yml:12:13: shared.1: it names no path; found """,
        "wavetrain.yml:13:9: verify: expected a text; found a list",
      ]
    `);
  });

  it.each([
    ["limits: { paralel: 3 }", "did you mean parallel?"],
    ["Verify: x", "did you mean verify?"],
    ["board: { columns: { raedy: x } }", "did you mean ready?"],
    ["quux: 1", "expected one of board, labels"],
    ["__proto__: { a: 1 }", "unknown key"],
  ])("hints at the key meant by %j", (text, hint) => {
    expect(problems(text)).toEqual([expect.stringContaining(hint)]);
  });

  it.each([
    ["- a\n- b", "expected a group of keys"],
    ["just text", "expected a group of keys"],
    ["a: 1\na: 2", "wavetrain.yml:2:1"],
    ["a: [1", "wavetrain.yml:1:"],
    ["a: b: c", "wavetrain.yml:1:"],
    ["a: 1\n---\nb: 2", "wavetrain.yml:2:1"],
    ["a: *b", "cannot be read"],
    ["board: { columns: { ready: Done } }", "a different column for each role"],
  ])("refuses %j", (text, problem) => {
    expect(problems(text)[0]).toContain(problem);
  });

  it("refuses a file that is only there to be heavy", () => {
    expect(problems("[".repeat(50_000))).toHaveLength(20);
    expect(problems("x".repeat(300_000))[0]).toContain("longer than");
  });

  it("refuses a bomb of aliases", () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? "a0: &a0 [x, x]" : `a${i}: &a${i} [*a${i - 1}, *a${i - 1}, *a${i - 1}, *a${i - 1}]`,
    );
    expect(problems(levels.join("\n"))[0]).toContain("cannot be read");
  });
});

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
