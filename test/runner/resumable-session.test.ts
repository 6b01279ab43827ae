import { describe, expect, it } from "vitest";
import { SUCCEEDED } from "../support/builders.ts";
import { resumableSession } from "../../src/runner/resumable-session.ts";

const session = { runner: "codex", id: "t-1" };
const RED = { kind: "verify-failed", tail: "" } as const;
const FAILED = { kind: "failed", exitCode: 1, tail: "" } as const;

describe("resumableSession", () => {
  it.each([
    { after: "a red verification", previous: RED, runner: "codex", id: "t-1" },
    { after: "a review", previous: SUCCEEDED, runner: "codex", id: "t-1" },
    { after: "a run of another runner", previous: RED, runner: "claude", id: undefined },
    {
      after: "a failure, maybe of its own making",
      previous: FAILED,
      runner: "codex",
      id: undefined,
    },
    { after: "nothing", previous: undefined, runner: "codex", id: undefined },
  ])("after $after is $id", ({ previous, runner, id }) => {
    expect(resumableSession({ previous, session, feedback: [], runs: [] }, runner)).toBe(id);
  });
});
