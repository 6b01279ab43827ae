import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { repoName } from "../../src/domain/ids.ts";
import fc from "../support/fast-check.ts";
import { READING_MS, withinLimit } from "../support/within-limit.ts";
import { anIssue, DEFAULTS } from "./issues.ts";

/** Pieces that the reader has rules for: random texts made of them reach every branch. */
const PIECES = [
  "## Files\n",
  "**Files**\n",
  "Files:",
  "Files: ",
  "Depends on ",
  "## Depends on\n",
  "read: ",
  "- ",
  "* ",
  "1. ",
  "[ ] ",
  "`",
  "``",
  "```\n",
  "~~~\n",
  "<!--",
  "-->",
  "!",
  ",",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "\n",
  "\r\n",
  " ",
  "\t",
  "#12",
  "#",
  "o/r#3",
  "https://github.com/o/r/issues/4",
  "src/**",
  "..",
  "/",
  "\\",
  "*",
  "_",
  "---\n",
  "===\n",
  "_No response_",
  "\u0000",
  "\u202E",
  "\uD800",
  "é",
  "@everyone",
  "<img src=x>",
  "&amp;",
  "1".repeat(20),
  "a".repeat(50),
];

const hostileText = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })),
    {
      maxLength: 120,
    },
  )
  .map((pieces) => pieces.join(""));

describe("taskSpecFromIssue on hostile text", () => {
  it("reads any text fast, and never hands on a pattern that leaves the repository", () => {
    const property = fc.property(hostileText, fc.array(fc.string()), (body, labels) => {
      const spec = withinLimit(
        () => taskSpecFromIssue(anIssue({ body, labels }), DEFAULTS),
        READING_MS,
      );
      if (spec.invalid !== undefined) {
        expect(spec.invalid.reason).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        return;
      }
      for (const { pattern } of spec.claims) {
        expect(pattern).not.toMatch(
          /^\/|(^|\/)\.\.(\/|$)|(^|\/)\.git(\/|$)|[\p{Cc}\p{Cf}\p{Cs}]/iu,
        );
      }
    });
    fc.assert(property, { numRuns: 3000 });
  });

  it.each([
    "`",
    "` ",
    "`` ` ",
    "```",
    "<!--",
    "<!-- -->",
    "<!-->",
    "*",
    "**",
    "* ",
    "_",
    "#",
    "# ",
    "#1",
    "#1,",
    " ",
    "\n",
    "\r",
    "- ",
    "1",
    "1.",
    "[",
    "[ ]",
    "{",
    "{a,",
    "\\",
    "\\*",
    ",",
    "/",
    "../",
    "a.",
    ".",
    "read:",
    "read: ",
    "!",
    "Files:",
    "Files:\n",
    "## Files\n",
    "Depends on ",
    "Depends on #1\n",
    "https://",
    "https://github.com/a/b/issues/1 ",
    "a/",
    "a/b#",
    "=\n",
    "a\n=\n",
    "-\n",
    "~~~\n",
    "\t",
    "\u0000",
    "😀",
  ])("takes no time for 65,536 characters of %j", (piece) => {
    for (const start of [
      "",
      "## Files\n",
      "Files: ",
      "Depends on #1 ",
      "## Depends on\n",
      "Files: `",
    ]) {
      const body = `${start}${piece.repeat(Math.ceil(65_536 / piece.length))}`.slice(0, 65_536);
      withinLimit(() => taskSpecFromIssue(anIssue({ body }), DEFAULTS), READING_MS);
    }
  });

  it.each([
    ["braces", "{a,b}".repeat(60)],
    ["ranges", "f{1..500}x"],
    ["products", "{1..22}/{1..22}/"],
    ["excluded ranges", "!f{1..500}x"],
    ["stars", "*a".repeat(150)],
    ["deep paths", "**/".repeat(100)],
    ["classes", "[a-z]".repeat(60)],
    ["nesting", "{a,{b,{c,{d,{e,{f,{g,h}}}}}}}"],
    ["groups", "@(a|b)".repeat(40)],
  ])("takes no time for 200 patterns of %s", (_name, pattern) => {
    const body = `## Files\n${Array.from({ length: 200 }, (_, i) => `- ${pattern}${i}`).join("\n")}`;
    withinLimit(
      () => taskSpecFromIssue(anIssue({ body: body.slice(0, 65_536) }), DEFAULTS),
      READING_MS,
    );
  });

  it("reads hostile labels, titles and relations", () => {
    const labels = ["", "size:", "runner:", "size:\u0000", "__proto__", "x".repeat(10_000)];
    const repo = repoName("acme/shop");
    const blockedBy = Array.from({ length: 5000 }, (_, i) => ({
      repo,
      number: i + 1,
      state: "open" as const,
    }));
    const spec = taskSpecFromIssue(anIssue({ labels, blockedBy, title: "\u0000" }), DEFAULTS);
    expect(spec.invalid?.reason).toBe("5000 dependencies are declared, the limit is 100");
  });
});
