import { describe, expect, it } from "vitest";
import { failedSteps } from "../../../../src/adapters/github/reading/job-log.ts";

const at = (second: number): string => `2026-01-01T10:00:${String(second).padStart(2, "0")}Z`;
const line = (second: number, text: string): string =>
  `${at(second).replace("Z", ".1234567Z")} ${text}`;
const step = (name: string, conclusion: string, [from, to]: readonly [number, number]) => ({
  name,
  conclusion,
  started_at: at(from),
  completed_at: at(to),
});

const STEPS = [
  step("Install", "success", [1, 4]),
  step("Test", "failure", [4, 6]),
  step("Tidy", "success", [6, 6]),
];
const LOG = [
  `\uFEFF${line(1, "##[group]Run npm ci")}`,
  line(4, "added 12 packages"),
  line(4, "##[group]Run npm test"),
  line(4, "##[endgroup]"),
  line(5, "not ok 1"),
  "  a line of its own",
  line(6, "##[warning]Slow."),
  line(6, "##[error]Process completed with exit code 1."),
  line(6, "##[group]Run tidy"),
  line(6, "tidied"),
  "",
].join("\r\n");

describe("failedSteps", () => {
  it("picks the failed step's lines, although its neighbours share its seconds", () => {
    expect(failedSteps(STEPS, LOG)).toEqual([
      {
        name: "Test",
        log: "Run npm test\nnot ok 1\n  a line of its own\nWarning: Slow.\nError: Process completed with exit code 1.",
      },
    ]);
  });

  it("keeps the last lines of a long step", () => {
    const many = Array.from({ length: 500 }, (_, index) => line(5, `line ${index}`)).join("\n");
    const [found] = failedSteps([step("Test", "timed_out", [5, 5])], many);
    expect(found?.log.split("\n")).toHaveLength(60);
    expect(found?.log.endsWith("line 499")).toBe(true);
  });

  it("takes the end of the log for a step without times, and nothing for a log without lines", () => {
    const timeless = { name: "Test", conclusion: "failure" };
    expect(failedSteps([timeless], LOG)).toMatchObject([
      { log: expect.stringContaining("not ok") as unknown },
    ]);
    expect(failedSteps([timeless], "")).toEqual([]);
  });

  it("finds nothing where no step failed", () => {
    expect(failedSteps([step("Test", "success", [1, 9])], LOG)).toEqual([]);
  });
});
