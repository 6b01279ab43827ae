import { describe, expect, it } from "vitest";
import { isFailedCheck } from "../../src/webhooks/is-failed-check.ts";

const OURS = [{ head: { ref: "wavetrain/12" } }];

function completed(check: Readonly<Record<string, unknown>>, action = "completed") {
  const payload = { action, check_run: { conclusion: "failure", pull_requests: OURS, ...check } };
  return isFailedCheck({ id: "d", name: "check_run", payload });
}

describe("isFailedCheck", () => {
  it.each(["failure", "timed_out", "startup_failure"])(
    "sees that a check ended with %s",
    (conclusion) => {
      expect(completed({ conclusion })).toBe(true);
    },
  );

  it.each([
    ["a check that went well", { conclusion: "success" }],
    ["a check that is under way", { conclusion: null }],
    ["a check of somebody's own pull request", { pull_requests: [{ head: { ref: "fix" } }] }],
    ["a check of no pull request", { pull_requests: [] }],
    ["what is no check", { pull_requests: "?" }],
  ])("lets %s pass by", (_, check) => {
    expect(completed(check)).toBe(false);
  });

  it("looks at the end of checks alone", () => {
    expect(completed({}, "created")).toBe(false);
    expect(isFailedCheck({ id: "d", name: "push", payload: { action: "completed" } })).toBe(false);
  });
});
