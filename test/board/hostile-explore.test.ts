import { describe, expect, it } from "vitest";
import { markdownLines } from "../../src/board/issue/markdown-lines.ts";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import type { ExploreSpec } from "../../src/domain/exploration.ts";
import { readMarkdown } from "../../src/shared/markdown/read-markdown.ts";
import { aConfig } from "../support/a-config.ts";
import fc from "../support/fast-check.ts";
import { READING_MS, withinLimit } from "../support/within-limit.ts";
import { anIssue } from "./issues.ts";

const CONFIG = aConfig({ scores: { speed: { run: "make" } }, explore: { score: "speed" } });

/** Pieces that the reader of the section has rules for: random texts made of them reach every branch. */
const PIECES = [
  "## Explore\n",
  "**Explore**\n",
  "Explore:",
  "ideas:",
  "\nideas: ",
  "\n- ideas:\n",
  "\n**ideas:**\n",
  "ask: 5\n",
  "\nask: ",
  "\ndepth: 3\n",
  "depth:",
  "\n- beam: 0\n",
  "score: speed\n",
  "\nscore: `speed`",
  "strict",
  "\nstrict: no\n",
  "patience: 2",
  "\nwidth: 3\n",
  "ideas/*.md",
  "`a b/*.md`",
  "../",
  "{1..400}",
  "!",
  "read: ",
  ",",
  "\n- ",
  "\n  - ",
  "\n    - ",
  "\n 1. ",
  "\n* [ ] ",
  "\n\n  ",
  "\n> ",
  "\n```text\n",
  "\n```\n",
  "`",
  "\n# ",
  "\n---\n",
  "<!--",
  "-->",
  "Files: a.ts",
  "\nDepends on #1\n",
  "\n",
  "\n\n",
  "\r\n",
  " ",
  "\t",
  "**",
  "_No response_",
  "word",
  "\u0000",
  "\u202E",
  "\uD800",
  "\u2028",
  "😀",
];

const hostileText = fc
  .array(
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })),
    { maxLength: 80 },
  )
  .map((pieces) => `## Explore\n${pieces.join("")}`);

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;
const LEAVES_THE_REPOSITORY = /^\/|(^|\/)\.\.(\/|$)|(^|\/)\.git(\/|$)|[\p{Cc}\p{Cf}\p{Cs}]/iu;

function expectUsable({ ideas, ...numbers }: ExploreSpec): void {
  expect([undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(numbers.depth);
  expect(numbers.beam ?? 1).toBeGreaterThan(0);
  expect(numbers.beam ?? 1).toBeLessThanOrEqual(20);
  switch (ideas.kind) {
    case "ask":
      expect(ideas.count >= 1 && ideas.count <= 100).toBe(true);
      return;
    case "files":
      expect(ideas.patterns.length).toBeGreaterThan(0);
      for (const pattern of ideas.patterns) expect(pattern).not.toMatch(LEAVES_THE_REPOSITORY);
      return;
    case "list":
      expect(ideas.ideas.length).toBeGreaterThan(0);
      expect(ideas.ideas.length).toBeLessThanOrEqual(100);
      expect(new Set(ideas.ideas.map(({ name }) => name)).size).toBe(ideas.ideas.length);
      for (const { name, text } of ideas.ideas) {
        expect(name).not.toMatch(HIDDEN);
        expect(Array.from(name).length).toBeLessThanOrEqual(80);
        expect(name).not.toBe("");
        expect(text.trim()).toBe(text);
      }
  }
}

function read(body: string, labels: readonly string[] = ["explore"]) {
  return taskSpecFromIssue(anIssue({ body, labels: [...labels] }), CONFIG);
}

describe("the section Explore in hostile text", () => {
  it("is read fast, and gives nothing but what can be used, or one sentence", () => {
    let usable = 0;
    const property = fc.property(hostileText, (body) => {
      const { explore, invalid } = withinLimit(() => read(body), READING_MS);
      if (explore !== undefined) {
        usable += 1;
        expectUsable(explore);
      } else expect(invalid).toBeDefined();
      expect(invalid?.reason ?? "").not.toMatch(HIDDEN);
    });
    fc.assert(property, { numRuns: 3000 });
    expect(usable).toBeGreaterThan(20);
  });

  it("is nothing without the label", () => {
    const property = fc.property(hostileText, (body) => {
      expect(read(body, [])).not.toHaveProperty("explore");
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each([
    "ideas:\n",
    "- ideas:\n",
    "\n- ask: 0\n",
    "ideas: a/\n",
    "word\n",
    "word: ",
    "\n\nwords\n",
    "- a\n",
    "- a\n  - b\n",
    "- a\n\n  b\n",
    "- ```\n",
    "\n> ",
    "a/,",
    "`a`",
    "`",
    "{a,b}",
    "_a",
    "**",
    "a-",
    "  ",
    "\t- ",
    "<br>",
    "😀",
  ])("takes no time for 65,536 characters of %j", (piece) => {
    for (const start of [
      "## Explore\n",
      "## Explore\nideas: ",
      "## Explore\nideas:\n- a",
      "## Explore\n```\nideas:\n- ",
    ]) {
      const body = `${start}${piece.repeat(Math.ceil(65_536 / piece.length))}`.slice(0, 65_536);
      withinLimit(() => read(body), READING_MS);
    }
  });

  it.each([
    ["braces", "{a,b}".repeat(9)],
    ["ranges", "f{1..500}x"],
    ["stars", "*a".repeat(150)],
    ["deep paths", "**/".repeat(100)],
    ["nesting", "{a,{b,{c,{d,{e,{f,{g,h}}}}}}}"],
  ])("takes no time for 100 patterns of %s", (_name, pattern) => {
    const patterns = Array.from({ length: 100 }, (_, at) => `\`${pattern}${at}/\``).join(" ");
    withinLimit(() => read(`## Explore\nideas: ${patterns}`), READING_MS);
  });

  it("takes no time for a margin that is looked at for each of many parts of its line", () => {
    const body = `## Explore\nideas:\n- <!--\n${" ".repeat(30_000)}-->${"a<br>".repeat(7_000)}`;
    readMarkdown(body);
    withinLimit(() => markdownLines(body));
  });
});

const word = fc.constantFrom("sort", "by", "bytes", "first", "a", "bucket", "the", "merge", "12");
const someIdeas = fc.uniqueArray(
  fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `try ${words.join(" ")}`),
  { minLength: 1, maxLength: 12 },
);

/** Ways to write the same. */
const FORMS: readonly ((ideas: readonly string[]) => string)[] = [
  (ideas) => `depth: 3\nideas:\n${ideas.map((idea) => `- ${idea}`).join("\n")}`,
  (ideas) => `ideas:\n\n${ideas.map((idea) => `* ${idea}\n`).join("\n")}\ndepth: 3`,
  (ideas) => `ideas:\n${ideas.map((idea) => `- ${idea}`).join("\n")}\ndepth: 3`,
  (ideas) => `ideas:\n${ideas.map((idea, at) => `${at + 1}. ${idea}`).join("\n")}\n\ndepth: 3`,
  (ideas) => `- ideas:\n${ideas.map((idea) => `  - ${idea}`).join("\n")}\n- depth: 3`,
  (ideas) => `- **ideas**:\n${ideas.map((idea) => `    1) ${idea}`).join("\n")}\n- **depth:** 3`,
  (ideas) => `\`\`\`text\nideas:\n${ideas.map((idea) => `- ${idea}`).join("\n")}\ndepth: 3\n\`\`\``,
  (ideas) => `~~~\ndepth: 3\nideas:\n${ideas.map((idea) => `\t- ${idea}`).join("\n\n")}\n~~~`,
];

describe("the section Explore, however it is written", () => {
  it("means the same", () => {
    const property = fc.property(someIdeas, fc.nat(FORMS.length - 1), (ideas, form) => {
      const body = `## Explore\n\n${FORMS[form]?.(ideas) ?? ""}`;
      expect(read(body)).toMatchObject({
        explore: {
          ideas: { kind: "list", ideas: ideas.map((text) => ({ name: text, text })) },
          depth: 3,
        },
        invalid: undefined,
      });
    });
    fc.assert(property, { numRuns: 300 });
  });
});
