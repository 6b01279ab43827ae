import { describe, expect, it } from "vitest";
import { firstProgram, namedFiles } from "../../../src/runner/agent/named-programs.ts";

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

describe("namedFiles", () => {
  it.each([
    ["node /opt/ours/agent.js --fast", ["/opt/ours/agent.js"]],
    ['sh "/opt/our agents/x" "/opt/b"', ["/opt/b"]],
    ["/opt/agent --from-stdin", []],
    ["agent > /var/log/agent.log", []],
    ["agent --in=/opt/x $HOME/y", []],
  ])("of %j are %j", (command, files) => {
    expect(namedFiles(command)).toEqual(files);
  });
});
