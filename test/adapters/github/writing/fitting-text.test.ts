import { describe, expect, it } from "vitest";
import { fits, fittingText } from "../../../../src/adapters/github/writing/fitting-text.ts";

const SENTENCE = "_The rest is left out: GitHub takes no longer text._\n";

describe("fittingText", () => {
  it("leaves alone what GitHub takes", () => {
    const text = "é".repeat(32_500);
    expect(fittingText(text)).toBe(text);
  });

  it.each<[string, string]>([
    ["many lines", "- a line of an answer\n".repeat(20_000)],
    ["one line", "x".repeat(1_000_000)],
    ["letters of several bytes", "ä line\n".repeat(60_000)],
    ["emojis on one line", "🚂".repeat(100_000)],
  ])("cuts %s and says so", (_, text) => {
    const cut = fittingText(text);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(65_535);
    expect(cut.endsWith(SENTENCE)).toBe(true);
    expect(cut).not.toContain("\uFFFD");
    expect(fits(cut)).toBe(true);
  });

  it("closes the block of code that it cuts in two", () => {
    const cut = fittingText(`Before\n\n\`\`\`\`text\n${"```\nwords\n".repeat(10_000)}`);
    expect(cut.endsWith(`\n\`\`\`\`\n\n${SENTENCE}`)).toBe(true);
  });
});
