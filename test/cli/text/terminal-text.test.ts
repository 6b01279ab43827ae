import { describe, expect, it } from "vitest";
import { cutText, fitText, textWidth } from "../../../src/cli/text/terminal-text.ts";

describe("textWidth", () => {
  it.each([
    ["plain text", "abc", 3],
    ["full-width characters", "漢字", 4],
    ["a combining mark", "e\u0301", 1],
    ["an emoji of several people", "👩\u200d👩\u200d👧", 2],
    ["a flag", "🇳🇴", 2],
    ["an ellipsis", "…", 1],
    ["nothing", "", 0],
  ])("counts the columns of %s", (_, text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe("cutText", () => {
  it.each([
    { what: "nothing of what fits", text: "abc", width: 3, cut: "abc" },
    { what: "what is too long", text: "abcd", width: 3, cut: "ab…" },
    { what: "a wide character that fits by half", text: "漢字", width: 3, cut: "漢…" },
    { what: "an emoji as a whole", text: "a👩\u200d👩\u200d👧b", width: 3, cut: "a…" },
    { what: "everything where there is no room", text: "abc", width: 0, cut: "" },
  ])("cuts $what", ({ text, width, cut }) => {
    expect(cutText(text, width)).toBe(cut);
  });
});

describe("fitText", () => {
  it("fills what is missing, on the side that is not aligned", () => {
    expect(fitText("漢", 4)).toBe("漢  ");
    expect(fitText("漢", 4, "right")).toBe("  漢");
  });
});
