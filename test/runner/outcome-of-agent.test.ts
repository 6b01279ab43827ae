import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { NO_REPORT } from "../../src/runner/agent-report.ts";
import type { AgentReport } from "../../src/runner/agent-report.ts";
import { outcomeOfAgent } from "../../src/runner/outcome-of-agent.ts";

const EXIT_3: RunOutcome = { kind: "failed", exitCode: 3, tail: "words" };
const LIMIT = { until: instant(9000) };

function outcome(ended: RunOutcome | undefined, report: Partial<AgentReport>, tellsEnd = true) {
  return outcomeOfAgent(ended, {
    report: { ...NO_REPORT, ...report },
    ...{ tellsEnd, tail: "words" },
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

  it("leaves it at the reason of whoever stopped the run", () => {
    const cancelled: RunOutcome = { kind: "cancelled", reason: "moved away" };
    expect(outcome(cancelled, { limit: LIMIT })).toEqual(cancelled);
  });
});
