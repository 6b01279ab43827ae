import { describe, expect, it } from "vitest";
import { presetCommand } from "../../../src/runner/presets/preset.ts";
import type { PresetUse } from "../../../src/runner/presets/preset.ts";
import { PRESETS } from "../../../src/runner/presets/presets.ts";

function commandOf(name: keyof typeof PRESETS, members: Partial<PresetUse> = {}) {
  const { argv, env } = presetCommand(PRESETS[name], {
    runner: { model: "best", args: ["--more"] },
    program: `/bin/${name}`,
    sandboxed: true,
    session: undefined,
    workspace: "/w",
    home: "/h",
    prompt: "Do {model} it.",
    promptFile: "/d/prompt.md",
    ...members,
  });
  return { line: argv.join(" "), argv, env };
}

describe("presetCommand", () => {
  it.each([
    ["codex", "--ignore-user-config"],
    ["claude", "--setting-sources user --strict-mcp-config"],
    ["opencode", "--pure"],
  ] as const)("keeps the repository's own settings from %s", (name, flags) => {
    expect(commandOf(name).line).toContain(flags);
  });

  it("leaves the outer sandbox alone to codex, and its own one where there is none", () => {
    expect(commandOf("codex").line).toContain("--dangerously-bypass-approvals-and-sandbox");
    const bare = commandOf("codex", { sandboxed: false }).line;
    expect(bare).toContain("-s workspace-write");
    expect(bare).not.toContain("--dangerously");
    expect(commandOf("claude", { sandboxed: false }).line).not.toContain("--dangerously");
    expect(commandOf("gemini", { sandboxed: false }).line).not.toContain("yolo");
  });

  it.each([
    ["codex", "-m best --more -", "-m best --more resume s-1 -"],
    ["claude", "--model best --more", "--model best --more --resume s-1"],
    ["opencode", "-m best --more", "-m best --more -s s-1"],
    ["gemini", "-m best --more", "-m best --more --resume s-1"],
    ["aider", "--more --message-file /d/prompt.md", "--more --message-file /d/prompt.md"],
  ] as const)("begins and goes on with %s", (name, fresh, resumed) => {
    expect(commandOf(name).line.endsWith(fresh)).toBe(true);
    expect(commandOf(name, { session: "s-1" }).line.endsWith(resumed)).toBe(true);
  });

  it("gives the prompt as one argument, as it is", () => {
    expect(commandOf("copilot").argv.slice(-2)).toEqual(["-p", "Do {model} it."]);
  });

  it("asks for no model when none is configured", () => {
    expect(commandOf("codex", { runner: { args: [] } }).argv).not.toContain("-m");
  });

  it("leaves no word unfilled and puts every program's files into its HOME", () => {
    for (const name of Object.keys(PRESETS) as (keyof typeof PRESETS)[]) {
      const { argv, env } = commandOf(name, { prompt: "Do it.", session: "s-1" });
      expect([...argv, ...Object.values(env)].filter((word) => /\{\w+\}/.test(word))).toEqual([]);
    }
    expect(commandOf("codex").env).toEqual({ CODEX_HOME: "/h/.codex" });
    expect(commandOf("gemini").env).toEqual({ GEMINI_CLI_HOME: "/h" });
  });
});
