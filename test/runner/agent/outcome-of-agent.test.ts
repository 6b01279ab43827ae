import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import type { RunOutcome } from "../../../src/domain/run.ts";
import { outcomeOfAgent, plainReport } from "../../../src/runner/agent/outcome-of-agent.ts";
import { NO_REPORT } from "../../../src/runner/presets/agent-report.ts";
import type { AgentReport } from "../../../src/runner/presets/agent-report.ts";

const EXIT_3: RunOutcome = { kind: "failed", exitCode: 3, tail: "words" };
const LIMIT = { until: instant(9000) };

function outcome(ended: RunOutcome | undefined, report: Partial<AgentReport>, tellsEnd = true) {
  return outcomeOfAgent(ended, {
    report: { ...NO_REPORT, ...report },
    tellsEnd,
    tail: "words",
    runner: "agent",
    keys: ["KEY"],
  });
}

describe("outcomeOfAgent", () => {
  it("lets a good last word and exit code 0 pass, and either alone not", () => {
    expect(outcome(undefined, { terminal: "good" })).toBeUndefined();
    expect(outcome(EXIT_3, { terminal: "good" })).toEqual(EXIT_3);
    expect(outcome(undefined, { terminal: "bad" })).toMatchObject({ kind: "failed", exitCode: 0 });
    expect(outcome(undefined, { terminal: "none" })).toMatchObject({ kind: "failed", exitCode: 0 });
  });

  it("takes the exit code alone where a program says nothing that we can read", () => {
    expect(outcome(undefined, {}, false)).toBeUndefined();
    expect(outcome(EXIT_3, {}, false)).toEqual(EXIT_3);
  });

  it("waits for the provider when its limit ended the run, whatever the process did then", () => {
    const limited = { kind: "provider-limited", until: LIMIT.until };
    expect(outcome(EXIT_3, { terminal: "bad", limit: LIMIT })).toEqual(limited);
    expect(outcome({ kind: "stalled", afterMs: 5 }, { limit: LIMIT })).toEqual(limited);
    expect(outcome(undefined, { terminal: "bad", limit: { until: undefined } })).toEqual({
      ...limited,
      until: undefined,
    });
  });

  it("tells a key that is refused from every other failure, also from a limit", () => {
    const loggedOut = { kind: "not-logged-in", runner: "agent", keys: ["KEY"], tail: "words" };
    expect(outcome(EXIT_3, { terminal: "bad", loggedOut: true, limit: LIMIT })).toEqual(loggedOut);
    expect(outcome({ kind: "stalled", afterMs: 5 }, { loggedOut: true })).toEqual(loggedOut);
    expect(outcome(undefined, { terminal: "good", loggedOut: true })).toBeUndefined();
  });

  it("gives the program's own error as the reason of a stall", () => {
    const error = "Reconnecting... 5/5 (stream disconnected)";
    expect(outcome({ kind: "stalled", afterMs: 5 }, { error })).toEqual({
      kind: "stalled",
      afterMs: 5,
      why: error,
    });
  });

  it("leaves it at the reason of whoever stopped the run", () => {
    const cancelled: RunOutcome = { kind: "cancelled", reason: "moved away" };
    expect(outcome(cancelled, { limit: LIMIT })).toEqual(cancelled);
  });
});

function plain(code: number, tail: string) {
  return plainReport(code, { tail, runner: "agent", keys: [] });
}

const MOMENT = "2026-01-05T14:03:00Z";

describe("plainReport", () => {
  it("reads from exit code 77 and a line that nobody is logged in", () => {
    const tail = "wavetrain: not logged in\n";
    const out = { kind: "not-logged-in", runner: "agent", keys: [], tail };
    expect(plain(77, tail)).toEqual(out);
    expect(plain(77, "permission denied")).toBeUndefined();
    expect(plain(1, tail)).toBeUndefined();
  });

  it("reads a provider's limit and its end from exit code 75 and a line", () => {
    const tail = `working\nwavetrain: limited until ${MOMENT}\nbye\n`;
    expect(plain(75, tail)).toEqual({
      kind: "provider-limited",
      until: Date.parse(MOMENT),
    });
  });

  it("takes the last line that says so", () => {
    const tail = `wavetrain: limited until 2020-01-01T00:00:00Z\nwavetrain: limited until ${MOMENT}`;
    expect(plain(75, tail)).toMatchObject({ until: Date.parse(MOMENT) });
  });

  it.each(["wavetrain: limited", "wavetrain: limited until tomorrow"])(
    "knows no end where none can be read: %s",
    (line) => {
      expect(plain(75, line)).toEqual({ kind: "provider-limited", until: undefined });
    },
  );

  it.each([
    [75, "no such line"],
    [75, `it said wavetrain: limited until ${MOMENT}`],
    [1, `wavetrain: limited until ${MOMENT}`],
    [0, `wavetrain: limited until ${MOMENT}`],
  ])("leaves exit code %i with %j to others", (code, tail) => {
    expect(plain(code, tail)).toBeUndefined();
  });

  it.each([126, 127])(
    "calls a command that cannot be started, exit code %i, nobody's failure",
    (code) => {
      expect(plain(code, "sh: codex: not found")).toMatchObject({ kind: "lost" });
    },
  );
});
