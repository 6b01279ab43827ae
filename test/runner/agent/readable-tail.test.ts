import { describe, expect, it } from "vitest";
import { PlainLines, readableTail } from "../../../src/runner/agent/readable-tail.ts";
import { NO_REPORT } from "../../../src/runner/presets/agent-report.ts";

function plain(...lines: readonly string[]): string {
  const kept = new PlainLines();
  for (const line of lines) kept.add(line);
  return kept.text;
}

describe("readableTail", () => {
  it("shows the program's own reason alone when it gave one", () => {
    const report = { ...NO_REPORT, terminal: "bad", error: "401", lastMessage: "hi" } as const;
    expect(readableTail(report, "noise")).toBe("401");
  });

  it("shows in words what can be read when the program gave no last word", () => {
    const report = { ...NO_REPORT, error: "Reconnecting... 1/5", lastMessage: "I begin." };
    expect(readableTail(report, "a warning")).toBe("a warning\nI begin.\nReconnecting... 1/5");
    expect(readableTail(NO_REPORT, "")).toBe("");
  });

  it("never shows events, also none that was cut off", () => {
    expect(plain('{"type":"error"}', "sh: gemini: broken  ", '{"type":"mess', "", "bye")).toBe(
      "sh: gemini: broken\nbye",
    );
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    expect(plain(...many).split("\n")).toEqual(many.slice(-20));
  });
});
