import { describe, expect, it } from "vitest";
import { firstProgram } from "../../../src/cli/doctor/host-questions.ts";

describe("firstProgram", () => {
  it.each([
    ["claude -p", "claude"],
    ["  codex exec", "codex"],
    ['"/opt/my agent/run" --now', "/opt/my agent/run"],
    ["/usr/bin/env node x", "/usr/bin/env"],
    ["agent;true", "agent"],
    ["./agent.sh", undefined],
    ["scripts/agent.sh", undefined],
    ["cd sub && agent", undefined],
    ['"$AGENT" x', undefined],
    ["X=1 agent", undefined],
    ["", undefined],
  ])("of %j is %j", (command, program) => {
    expect(firstProgram(command)).toBe(program);
  });
});
