import { describe, expect, it } from "vitest";
import {
  missingKeys,
  neededKeys,
  wordMissingKeys,
} from "../../../src/runner/presets/needed-keys.ts";

const OURS = [
  "-c",
  'model_provider="ours"',
  "-c",
  'model_providers.ours={name="ours",env_key="OUR_KEY"}',
];

describe("neededKeys", () => {
  it.each([
    [{ preset: "gemini" as const }, ["GEMINI_API_KEY"]],
    [{ preset: "codex" as const }, ["CODEX_API_KEY", "OPENAI_API_KEY"]],
    [{ preset: "codex" as const, args: OURS }, ["OUR_KEY"]],
    [{ preset: "codex" as const, args: ["-c", 'model_provider="ours"'] }, []],
    [{ preset: "claude" as const, args: ["--settings", "/etc/claude.json"] }, []],
    [{ preset: "opencode" as const }, []],
    [{}, []],
  ])("of %j are %j", (runner, keys) => {
    expect(neededKeys(runner)).toEqual(keys);
  });
});

describe("missingKeys", () => {
  it("wants one of them set, and given to the runner", () => {
    const runner = { preset: "codex" as const, env: ["OPENAI_API_KEY"] };
    const all = ["CODEX_API_KEY", "OPENAI_API_KEY"];
    expect(missingKeys(runner, { OPENAI_API_KEY: "x" })).toEqual([]);
    expect(missingKeys(runner, { OPENAI_API_KEY: " " })).toEqual(all);
    expect(missingKeys(runner, { CODEX_API_KEY: "x" })).toEqual(all);
    expect(missingKeys({ preset: "codex" }, { CODEX_API_KEY: "x" })).toEqual(all);
    expect(missingKeys({ env: [] }, {})).toEqual([]);
  });

  it("is said with the place where it belongs", () => {
    expect(wordMissingKeys("g", ["GEMINI_API_KEY"])).toBe(
      "it has no key: set GEMINI_API_KEY where wavetrain runs, and name it in runners.g.env",
    );
    expect(wordMissingKeys("c", ["A", "B"])).toContain("set one of A, B where");
  });
});
