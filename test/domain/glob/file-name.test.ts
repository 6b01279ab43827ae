import { describe, expect, it } from "vitest";
import { looksLikeFile } from "../../../src/domain/glob/file-name.ts";

describe("looksLikeFile", () => {
  it.each([
    "index.ts",
    "a.test.tsx",
    "Makefile",
    "LICENSE",
    ".gitignore",
    ".npmrc",
    ".env.local",
    "x.c",
  ])("takes %s for a file", (name) => {
    expect(looksLikeFile(name)).toBe(true);
  });

  it.each([
    "src",
    ".github",
    ".vscode",
    "v1.2",
    "release-2.0",
    "Assets.xcassets",
    "conf.d",
    "a.",
    "...",
  ])("leaves open what %s is", (name) => {
    expect(looksLikeFile(name)).toBe(false);
  });
});
