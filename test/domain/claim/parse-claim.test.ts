import { describe, expect, it } from "vitest";
import { parseClaim } from "../../../src/domain/claim/parse-claim.ts";
import { MAX_PATTERN_LENGTH } from "../../../src/domain/glob/limits.ts";

describe("parseClaim", () => {
  it.each([
    ["src/a.ts", "write", "src/a.ts"],
    ["  src/a.ts  ", "write", "src/a.ts"],
    ["read: src/a.ts", "read", "src/a.ts"],
    ["READ:src/a.ts", "read", "src/a.ts"],
    ["!src/a.ts", "except", "src/a.ts"],
    ["! src/a.ts", "except", "src/a.ts"],
    ["./src/./a.ts", "write", "src/a.ts"],
    ["src//auth//", "write", "src/auth/"],
    ["./", "write", "**"],
    [".", "write", "**"],
    ["cafe\u0301/", "write", "caf\u00e9/"],
    ["./!(a).ts", "write", "!(a).ts"],
    ["!./(a).ts", "except", "(a).ts"],
    ["reader.ts", "write", "reader.ts"],
    ["my file.md", "write", "my file.md"],
  ] as const)("reads %j", (line, mode, pattern) => {
    expect(parseClaim(line)).toEqual({ ok: true, value: { mode, pattern } });
  });

  it.each([
    [""],
    ["   "],
    ["!"],
    ["read:   "],
    ["!!src"],
    ["!read: src"],
    ["/"],
    ["//src"],
    [".."],
    ["src/.."],
    ["{..,src}/a.ts"],
    ["{1..9999}/../a.ts"],
    [".git"],
    [".GIT/hooks/pre-commit"],
    ["vendor/lib/.git/config"],
    ["{.git,src}/a"],
    ["src/a\u0000.ts"],
    ["src/a\tb.ts"],
    ["src/a\u2028b.ts"],
    ["src/\ud800.ts"],
    ["src/a\u202Eb.ts"],
    ["src/a\u3164b.ts"],
    ["src/[].ts"],
    ["src/[a/b].ts"],
    ["src/[[:letters:]].ts"],
    ["src/[\u4e00-\u9fff].ts"],
    ["src/a\\"],
    ["{,}"],
    ["!{1..9999}"],
    ["!+(a/b)"],
    [`${"{a,".repeat(9)}b${"}".repeat(9)}`],
    ["a".repeat(MAX_PATTERN_LENGTH + 1)],
  ])("refuses %j with one line of explanation", (line) => {
    const parsed = parseClaim(line);

    if (parsed.ok) expect.unreachable(`took it for ${parsed.value.pattern}`);
    expect(parsed.error.reason).toMatch(/^[^\n]{5,120}$/);
  });

  it("takes a pattern of the greatest length", () => {
    expect(parseClaim("a".repeat(MAX_PATTERN_LENGTH)).ok).toBe(true);
  });
});
