import { describe, expect, it } from "vitest";
import { parseHostRule } from "../../../src/domain/network/network.ts";
import { PRESETS } from "../../../src/runner/presets/presets.ts";

describe("the provider of a preset", () => {
  it.each(Object.entries(PRESETS))("%s is named as an operator would name it", (_, preset) => {
    for (const host of preset.provider) expect(parseHostRule(host)).toMatchObject({ ok: true });
  });
});

describe("the sessions of a preset", () => {
  it.each([
    ["codex", "rollout-2026-11-18T06-49-29-01a1ed6a-ebc5.jsonl", "01a1ed6a-ebc5"],
    ["claude", "c34e6fcb-ee0d.jsonl", "c34e6fcb-ee0d"],
    ["gemini", "session-2026-11-18T06-49-707592f8.jsonl", "707592f8-dc1a-4251"],
    ["opencode", "opencode.db", "ses_e1294f651ffe"],
  ] as const)("of %s are found by their files", (name, file, session) => {
    const { sessions } = PRESETS[name];
    expect(sessions?.isFile(file, session)).toBe(true);
    expect(sessions?.isFile("settings.json", session)).toBe(false);
    if (name !== "opencode") expect(sessions?.isFile(file, "another-1")).toBe(false);
  });

  it("are there wherever a conversation can be resumed", () => {
    for (const { resume, sessions } of Object.values(PRESETS))
      expect(sessions === undefined).toBe(resume === undefined);
  });
});
