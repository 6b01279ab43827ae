import { describe, expect, it } from "vitest";
import { plainReport } from "../../src/runner/plain-report.ts";

const MOMENT = "2026-01-05T14:03:00Z";

describe("plainReport", () => {
  it("reads a provider's limit and its end from exit code 75 and a line", () => {
    const tail = `working\nwavetrain: limited until ${MOMENT}\nbye\n`;
    expect(plainReport(75, tail)).toEqual({
      kind: "provider-limited",
      until: Date.parse(MOMENT),
    });
  });

  it("takes the last line that says so", () => {
    const tail = `wavetrain: limited until 2020-01-01T00:00:00Z\nwavetrain: limited until ${MOMENT}`;
    expect(plainReport(75, tail)).toMatchObject({ until: Date.parse(MOMENT) });
  });

  it.each(["wavetrain: limited", "wavetrain: limited until tomorrow"])(
    "knows no end where none can be read: %s",
    (line) => {
      expect(plainReport(75, line)).toEqual({ kind: "provider-limited", until: undefined });
    },
  );

  it.each([
    [75, "no such line"],
    [75, `it said wavetrain: limited until ${MOMENT}`],
    [1, `wavetrain: limited until ${MOMENT}`],
    [0, `wavetrain: limited until ${MOMENT}`],
  ])("leaves exit code %i with %j to others", (code, tail) => {
    expect(plainReport(code, tail)).toBeUndefined();
  });

  it.each([126, 127])(
    "calls a command that cannot be started, exit code %i, nobody's failure",
    (code) => {
      expect(plainReport(code, "sh: codex: not found")).toMatchObject({ kind: "lost" });
    },
  );
});
