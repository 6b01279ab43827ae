import { describe, expect, it } from "vitest";
import { problemLine } from "../../../src/config/read/config-problem.ts";
import { departures, differencesFromDefaults } from "../../../src/config/repository/differences.ts";
import {
  defaultRepoConfig,
  mergeConfig,
  readRepoConfig,
} from "../../../src/config/repository/read-repo-config.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";

function problems(text: string): readonly string[] {
  const read = readRepoConfig(text, "wavetrain.yml");
  return read.ok ? [] : read.error.map(problemLine);
}

describe("scores and explore in a repository's file", () => {
  it("have defaults", () => {
    expect(defaultRepoConfig()).toMatchObject({ scores: {}, labels: { explore: "explore" } });
    expect(defaultRepoConfig().explore).toEqual({
      depth: 2,
      beam: 3,
      strict: false,
      retries: 1,
      confirmAbove: { evaluations: 30, usd: 20 },
    });
  });

  it("are read as they are written", () => {
    const read = readRepoConfig(
      [
        "scores:",
        "  speed: { run: make bench, files: [bench/, judge.py], best: low, timeout: 90s }",
        "  Small.v2: { run: wc -c out }",
        "explore: { depth: 10, beam: 20, score: speed, strict: true, patience: 10, parallel: 4,",
        "  perNode: 2, retries: 0, timeout: 2m, confirmAbove: { evaluations: 1, usd: 0.5 } }",
      ].join("\n"),
    );
    expect(read).toMatchObject({
      ok: true,
      value: {
        scores: {
          speed: { run: "make bench", files: ["bench/", "judge.py"], best: "low", timeout: 90_000 },
          "Small.v2": { run: "wc -c out", files: [], best: "high" },
        },
        explore: {
          depth: 10,
          beam: 20,
          score: "speed",
          strict: true,
          patience: 10,
          parallel: 4,
          perNode: 2,
          retries: 0,
          timeout: 120_000,
          confirmAbove: { evaluations: 1, usd: 0.5 },
        },
      },
    });
  });

  it.each([
    ["score: make bench", "1:1: score: unknown key; did you mean scores?"],
    ["explore: { depth: 0 }", "explore.depth: expected at least 1; found 0"],
    ["explore: { depth: 11 }", "explore.depth: expected at most 10; found 11"],
    ["explore: { depth: 1.5 }", "explore.depth: expected a whole number; found 1.5"],
    ["explore: { beam: 0 }", "explore.beam: expected at least 1; found 0"],
    ["explore: { beam: 21 }", "explore.beam: expected at most 20; found 21"],
    ["explore: { patience: 0 }", "explore.patience: expected at least 1"],
    ["explore: { patience: 11 }", "explore.patience: expected at most 10"],
    ["explore: { parallel: 0 }", "explore.parallel: expected at least 1"],
    ["explore: { perNode: 0 }", "explore.perNode: expected at least 1"],
    ["explore: { retries: -1 }", "explore.retries: expected at least 0"],
    ["explore: { retries: 11 }", "explore.retries: expected at most 10"],
    ["explore: { timeout: soon }", "explore.timeout: expected a duration"],
    ["explore: { strict: 2 }", "explore.strict: expected true or false"],
    ["explore: { dept: 2 }", "explore.dept: unknown key; did you mean depth?"],
    ["explore: { confirmAbove: { evaluations: 0 } }", "evaluations: expected at least 1"],
    ["explore: { confirmAbove: { usd: 0 } }", "explore.confirmAbove.usd: expected at least 1"],
    ["scores: { fast: make }", "scores.fast: expected a group of keys"],
    ["scores: { fast: {} }", "scores.fast.run: expected a text; it is missing"],
    ["scores: { fast: { run: '' } }", "scores.fast.run: expected a text that is not empty"],
    ["scores: { fast: { run: x, best: highest } }", "scores.fast.best: expected high or low"],
    ["scores: { fast: { run: x, files: [/etc] } }", "scores.fast.files.0: absolute path"],
    ["scores: { fast: { run: x, files: [../a] } }", "leaves the repository"],
    ["scores: { fast: { run: x, files: ['!a'] } }", "without read: or !"],
    ["scores: { fast: { run: x, files: ['read: a'] } }", "without read: or !"],
    ["scores: { -fast: { run: x } }", "expected a score's name"],
    ["scores: { 'two words': { run: x } }", "expected a score's name"],
    [`scores: { ${"x".repeat(41)}: { run: x } }`, "expected a score's name"],
  ])("refuse %j", (text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    [
      "scores: { a: { run: x }, b: { run: y } }\nexplore: { score: c }",
      'wavetrain.yml:2:19: explore.score: expected one of the scores: a, b; found "c"',
    ],
    ["explore: { score: c }", 'wavetrain.yml:1:19: explore.score: there are no scores; found "c"'],
    [
      "explore: { score: constructor }",
      'wavetrain.yml:1:19: explore.score: there are no scores; found "constructor"',
    ],
  ])("say which score is none: %j", (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });
});

describe("explore in the operator's file", () => {
  const runners = { agent: { command: "true" } };
  const fixed = { explore: { score: "speed" } };

  it("may name a score that the repository has", () => {
    const file = { runners, repositories: { "acme/shop": fixed } };
    expect(operatorConfigSchema.safeParse(file).success).toBe(true);
    const own = { ...defaultRepoConfig(), scores: { speed: aScore() } };
    expect(mergeConfig(own, fixed)).toMatchObject({ ok: true, value: fixed });
  });

  it("is refused with the repository that has no such score", () => {
    expect(mergeConfig(defaultRepoConfig(), fixed)).toEqual({
      ok: false,
      error: "explore.score: there are no scores",
    });
  });

  it("is compared with the defaults without the repository's scores", () => {
    const config = operatorConfigSchema.parse({ runners, repositories: { "acme/shop": fixed } });
    expect(differencesFromDefaults(config, {})).toContainEqual(
      expect.objectContaining({ path: "repositories.*.explore.score", value: "speed" }),
    );
  });

  it("lays scores over the repository's member by member", () => {
    const own = { ...defaultRepoConfig(), scores: { speed: aScore() } };
    const merged = mergeConfig(own, { scores: { speed: { best: "low" }, size: { run: "wc -c" } } });
    expect(merged.ok && merged.value.scores).toEqual({
      speed: { ...aScore(), best: "low" },
      size: { run: "wc -c", files: [], best: "high" },
    });
  });

  it("takes the commands of scores for a set-up's own affair", () => {
    const scores = { speed: { run: "make bench" } };
    const config = operatorConfigSchema.parse({
      runners,
      repositories: { "acme/shop": { scores } },
    });
    expect(departures(differencesFromDefaults(config, {}))).toEqual([]);
  });
});

function aScore(): { run: string; files: string[]; best: "high" } {
  return { run: "make bench", files: [], best: "high" };
}
