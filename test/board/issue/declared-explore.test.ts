import { describe, expect, it } from "vitest";
import { declarations } from "../../../src/board/issue/declarations.ts";
import { declaredExplore } from "../../../src/board/issue/declared-explore.ts";
import { markdownLines } from "../../../src/board/issue/markdown-lines.ts";
import type { Idea } from "../../../src/domain/exploration.ts";

const read = (body: string) => declaredExplore(declarations(markdownLines(body)));
const text = (...lines: readonly string[]) => lines.join("\n");
const idea = (name: string, whole = name): Idea => ({ name, text: whole });
const list = (...ideas: readonly (string | Idea)[]) => ({
  kind: "list",
  ideas: ideas.map((one) => (typeof one === "string" ? idea(one) : one)),
});
const files = (...patterns: readonly string[]) => ({ kind: "files", patterns });
const ask = (count: number) => ({ kind: "ask", count });

describe("declaredExplore", () => {
  it.each([
    ["a heading", "## Explore\n\nask: 5", { ideas: ask(5) }],
    ["a deep heading with a colon", "###### explore:\nask: 5", { ideas: ask(5) }],
    ["a bold line", "**Explore**\n\nask: 5", { ideas: ask(5) }],
    ["a line with a list", "Explore:\n- ask: 5\n- depth: 3", { ideas: ask(5), depth: 3 }],
    [
      "a line with lists in a list",
      "Explore:\n- ideas:\n  - a\n\n    c\n  - b",
      { ideas: list(idea("a", "a\n\nc"), "b") },
    ],
    ["a line with lines", "Explore:\nask: 5\ndepth: 3", { ideas: ask(5), depth: 3 }],
    ["a line", "Explore: ask: 5", { ideas: ask(5) }],
    ["a line that goes on", "Explore: ask: 5\ndepth: 3", { ideas: ask(5), depth: 3 }],
    [
      "two sections",
      "## Explore\nask: 5\n\n## Notes\nx\n\n## Explore\nbeam: 4",
      { ideas: ask(5), beam: 4 },
    ],
    [
      "every key",
      "## Explore\nask: 5\ndepth: 10\nbeam: 20\nscore: speed\nstrict: yes\npatience: 3",
      { ideas: ask(5), depth: 10, beam: 20, score: "speed", strict: true, patience: 3 },
    ],
    [
      "bullets",
      "## Explore\n- ask: 5\n- depth: 1\n* score: speed\n1. beam: 2\n- [ ] strict",
      { ideas: ask(5), depth: 1, score: "speed", beam: 2, strict: true },
    ],
    [
      "bold keys",
      "## Explore\n**ask:** 5\n- **depth**: 1\n\n**strict**\n- __beam:__ 2",
      { ideas: ask(5), depth: 1, strict: true, beam: 2 },
    ],
    [
      "other letter cases and blanks",
      "## Explore\nAsk :  5\nDEPTH:1\nStrict: No",
      { ideas: ask(5), depth: 1, strict: false },
    ],
    [
      "values in backticks",
      "## Explore\nask: `5`\nscore: `speed`",
      { ideas: ask(5), score: "speed" },
    ],
    [
      "a code fence",
      "### Explore\n\n```text\n# remark\nask: 5\n\ndepth: 3\n```",
      { ideas: ask(5), depth: 3 },
    ],
    [
      "a list of code",
      "## Explore\n- ideas:\n  ```\n  - a\n  - b\n  ```",
      { ideas: list("a", "b") },
    ],
    [
      "Windows line ends",
      "## Explore\r\nideas:\r\n- a\r\n- b\r\ndepth: 3\r\n",
      { ideas: list("a", "b"), depth: 3 },
    ],
    ["strict with a colon alone", "## Explore\nask: 5\nstrict:", { ideas: ask(5), strict: true }],
    ["strict: true", "## Explore\nask: 5\nstrict: true", { ideas: ask(5), strict: true }],
    ["strict: false", "## Explore\nask: 5\nstrict: false", { ideas: ask(5), strict: false }],
    ["a value right above a rule", "## Explore\nask: 5\n---\nmore", { ideas: ask(5) }],
    [
      "a value right above a rule, and no further",
      "## Explore\nask: 5\nbeam: 4\n---\ndepth: 3",
      { ideas: ask(5), beam: 4 },
    ],
    [
      "what is below words",
      "## Explore\nask: 5\n\nBe bold, please.\n\n> depth: 1\n\nbeam: 4",
      { ideas: ask(5), beam: 4 },
    ],
    [
      "a key below words",
      "## Explore\nask: 5\n\nBe bold, please.\nbeam: 4",
      { ideas: ask(5), beam: 4 },
    ],
    ["words that explain a key", "## Explore\n- ask: 5\n\n  More is dear.", { ideas: ask(5) }],
    ["nothing that is hidden", "## Explore\n<!--\ndepth: 1\n-->\nask: 5", { ideas: ask(5) }],
  ])("reads %s", (_name, body, explore) => {
    expect(read(body)).toEqual({ explore, problem: undefined });
  });

  it.each([
    ["the next heading", "## Explore\nask: 5\n\n## Depth\n3"],
    ["the next heading, whatever it says", "## Explore\nask: 5\n\n## Depth: 3"],
    ["a bold line", "## Explore\nask: 5\n\n**Notes**\n\ndepth: 3"],
    ["a rule", "## Explore\nask: 5\n\n***\n\ndepth: 3"],
    ["the files", "## Explore\nask: 5\nFiles: src/\n- depth: 3"],
    ["bold files", "## Explore\n- ask: 5\n- **Files**\n- depth: 3"],
    ["a dependency", "## Explore\nask: 5\n\nDepends on #3\n\ndepth: 3"],
    ["words below a line's list", "Explore:\n- ask: 5\n\nBe bold.\n\ndepth: 3"],
  ])("stops at %s", (_name, body) => {
    expect(read(body)).toEqual({ explore: { ideas: ask(5) }, problem: undefined });
  });

  it.each([
    ["no section", "Explore the code first. We explore: nothing."],
    ["a section in a quote", "> ## Explore\n> ask: 5"],
    ["a section in code", "```\n## Explore\nask: 5\n```"],
    ["a section in a comment", "<!--\n## Explore\nask: 5\n-->"],
  ])("finds nothing in %s", (_name, body) => {
    expect(read(body)).toEqual({ explore: undefined, problem: undefined });
  });
});

describe("declaredExplore: files", () => {
  it.each([
    ["ideas/*.md", ["ideas/*.md"]],
    ["ideas/", ["ideas/"]],
    ["./ideas//*.md", ["ideas/*.md"]],
    ["`ideas/*.md`", ["ideas/*.md"]],
    ["ideas/*.md, more/**/*.md", ["ideas/*.md", "more/**/*.md"]],
    ["`ideas/*.md` `more/`", ["ideas/*.md", "more/"]],
    ["`my ideas/*.md` (new, see notes), b/{c,d}.md", ["my ideas/*.md", "b/{c,d}.md"]],
    ["`README`", ["README"]],
    ["`ideas/*.md`, and more", ["ideas/*.md"]],
    ["ideas/*.md, ideas/*.md", ["ideas/*.md"]],
    ["*a*.md, *b*.md", ["*a*.md", "*b*.md"]],
  ])("reads %s in words and in code", (written, patterns) => {
    const explore = { ideas: files(...patterns) };
    expect(read(`## Explore\nideas: ${written}`).explore).toEqual(explore);
    expect(read(`## Explore\n\`\`\`text\nideas: ${written}\n\`\`\``).explore).toEqual(explore);
  });

  it.each([
    ["/etc/passwd", "absolute path"],
    ["~/ideas/*.md", "absolute path"],
    ["C:/ideas/*.md", "absolute path"],
    ["../*.md", "leaves the repository"],
    ["ideas/{a,..}/../x.md", "leaves the repository"],
    [".git/*.md", ".git is not part"],
    ["`a\u0000b.md`", "control character"],
    ["ideas/\u202E*.md", "cannot be seen"],
    ["ideas\\a.md/", "use / between names"],
    ["https://example.com/ideas.md", "a link is not a path"],
    ["ideas/{.md", "{"],
    ["`read: ideas/*.md`", "without read: or !"],
    ["!ideas/*.md", "without read: or !"],
    ["`ideas/*.md", "a backtick without its partner"],
    ["radix sort", "expected files such as ideas/*.md"],
    ["radix, quick", "expected files such as ideas/*.md"],
    [`ideas/${"a".repeat(1025)}`, "1024"],
    ["a/{1..400}, b/{1..400}, c/{1..400}", "more than 1024 paths"],
    ["{1..40}/{1..40}", "more than 1024 paths"],
    [",", "no path is named"],
    [Array.from({ length: 101 }, (_, at) => `a/${at}`).join(), "101 patterns are given"],
  ])("refuses %j and quotes it", (written, problem) => {
    const found = read(`## Explore\n\nideas: ${written}`);
    expect(found.explore).toBeUndefined();
    expect(found.problem).toContain(problem);
    expect(found.problem).toMatch(/\(line 3: "ideas: /);
  });
});

describe("declaredExplore: a list of ideas", () => {
  it.each([
    ["below a line", text("ideas:", "- b", "- a")],
    ["below a line, later", text("ideas:", "", "* b", "* a")],
    ["below words", text("ideas:", "", "These look good.", "", "- b", "- a")],
    ["with numbers", text("ideas:", "1. b", "2. a")],
    ["with check boxes", text("ideas:", "- [ ] b", "- [x] a")],
    ["below a bullet", text("- ideas:", "  - b", "  - a")],
    ["beside a bullet", text("- ideas:", "- b", "- a")],
    ["below a bold line", text("**ideas:**", "- b", "- a")],
    ["below a bold line without a colon", text("**Ideas**", "", "- b", "- a")],
    ["below a word", text("ideas", "- b", "- a")],
    ["that is slanted", text("ideas:", " - b", "  - a")],
    ["in code", text("```text", "ideas:", "- b", "- a", "```")],
    ["that is indented in code", text("```text", "ideas:", "  - b", "", "  - a", "```")],
    ["that is slanted in code", text("```text", "ideas:", "- b", " - a", "```")],
    ["with numbers in code", text("```text", "ideas:", "1) b", "2) a", "```")],
    ["below a bullet in code", text("```text", "- ideas:", "    - b", "    - a", "```")],
  ])("is read in its order %s", (_name, body) => {
    expect(read(`## Explore\n${body}`)).toEqual({
      explore: { ideas: list("b", "a") },
      problem: undefined,
    });
  });

  it.each([
    ["right below it", text("ideas:", "- a", "- b", "depth: 3", "strict")],
    ["below a line", text("ideas:", "- a", "- b", "", "depth: 3", "", "strict")],
    ["right below an indented one", text("ideas:", "  - a", "  - b", "depth: 3", "strict")],
    ["right below a list in bullets", text("- ideas:", "  - a", "  - b", "- depth: 3", "- strict")],
    ["among the ideas", text("- ideas:", "  - a", "  - b", "  - depth: 3", "- strict")],
    [
      "among the ideas in code",
      text("```", "ideas:", " - a", " - b", " - depth: 3", "strict", "```"),
    ],
    ["as bullets", text("ideas:", "- a", "- b", "- depth: 3", "- strict")],
    ["above it", text("depth: 3", "strict", "ideas:", "- a", "- b")],
    ["in code", text("```", "ideas:", "  - a", "  - b", "depth: 3", "strict", "```")],
    ["at its margin", text("- ideas:", "    - a", "    - b", "    depth: 3", "- strict")],
  ])("leaves keys what they are %s", (_name, body) => {
    expect(read(`## Explore\n${body}`)).toEqual({
      explore: { ideas: list("a", "b"), depth: 3, strict: true },
      problem: undefined,
    });
  });

  it.each([
    ["lines", text("- a", "  depth: 3", "- b"), idea("a", "a\ndepth: 3")],
    ["lines at the margin", text("- a", "and so on", "- b"), idea("a", "a\nand so on")],
    ["paragraphs", text("- a", "", "  One.", "", "  Two.", "- b"), idea("a", "a\n\nOne.\n\nTwo.")],
    ["lists", text("- a", "  - c", "    - d", "  - e", "- b"), idea("a", "a\n- c\n  - d\n- e")],
    ["keys in lists", text("- a", "  - depth: 3", "- b"), idea("a", "a\n- depth: 3")],
    ["quotes", text("- a", "", "  > depth: 3", "", "- b"), idea("a", "a\n\n> depth: 3")],
    ["files", text("- a", "  Files: x", "- b"), idea("a", "a\nFiles: x")],
    ["headings", text("- a", "", "  # c", "", "  d", "- b"), idea("a", "a\n\nc\n\nd")],
    ["bold lines", text("- **a**", "", "  **Why**", "- b"), idea("**a**", "**a**\n\n**Why**")],
    ["rules", text("- a", "", "  ***", "", "  c", "- b"), idea("a", "a\n\nc")],
    [
      "code",
      text("- a", "  ```c", "  if (x)", "", "    - y", "  ```", "  so", "- b"),
      idea("a", "a\n\n```\nif (x)\n\n  - y\n```\n\nso"),
    ],
    [
      "each block of code",
      text("- a", "  ```", "  c", "  ```", "  ```", "  d", "  ```", "- b"),
      idea("a", "a\n\n```\nc\n```\n\n```\nd\n```"),
    ],
    ["no words below the list", text("- a", "- b", "", "Words,", "and more."), idea("a")],
    ["no quote of its own", text("- a", "- > c", "- b"), idea("a")],
    ["words of code", text("- `a` and *c*", "- b"), idea("`a` and *c*")],
    ["a heading of its own", text("- # a", "- b"), idea("a")],
    ["no comments", text("- a <!-- c", "  d --> e", "- b"), idea("a e", "a  e")],
  ])("takes %s for the idea's", (_name, body, first) => {
    expect(read(`## Explore\nideas:\n${body}`)).toEqual({
      explore: { ideas: list(first, "b") },
      problem: undefined,
    });
  });

  it("takes what is indented below an idea in code for the idea's", () => {
    const body = text("ideas:", "  - a", "    one", "      two", "", "    # three", "  - b");
    expect(read(`## Explore\n\`\`\`\n${body}\n\`\`\``).explore).toEqual({
      ideas: list(idea("a", "a\none\n  two\n\n# three"), "b"),
    });
  });

  it("reads a tab in code as an indent, and each block for itself", () => {
    const explored = (...blocks: readonly string[]) =>
      read(`## Explore\n${blocks.map((block) => `\`\`\`\n${block}\n\`\`\``).join("\n")}`);
    expect(explored("ideas:\n- a\n\t- c\n- b").explore).toEqual({
      ideas: list(idea("a", "a\n- c"), "b"),
    });
    expect(explored("ideas:\n- a", "- b").explore).toEqual({ ideas: list("a", "b") });
    expect(explored("ideas:\n- a", "  more").problem).toContain(': "more")');
  });

  it("wants the partner of a backtick in code, too", () => {
    const { problem } = read("## Explore\n```\nideas: `ideas/*.md\n```");
    expect(problem).toContain('cannot use "`ideas/*.md": a backtick without its partner');
  });

  it("names an idea by 80 characters of its first line, whatever these are made of", () => {
    const long = `${"😀".repeat(79)} ${"b".repeat(80)}`;
    const { explore } = read(`## Explore\nideas:\n- ${long}\n  and more`);
    expect(explore?.ideas).toEqual(list(idea("😀".repeat(79), `${long}\nand more`)));
  });

  it("leaves out characters that cannot be seen", () => {
    const { explore } = read("## Explore\nideas:\n- a\u202Eb\n- c\u0007\td");
    expect(explore?.ideas).toEqual(list("ab", idea("c d", "c\td")));
  });

  it("may have as many ideas as the limit says, and no more", () => {
    const body = (count: number) =>
      `## Explore\nideas:\n${Array.from({ length: count }, (_, at) => `- ${at.toString(36)}\n`).join("")}`;
    expect(read(body(100)).explore?.ideas).toMatchObject({ kind: "list" });
    expect(read(body(101)).problem).toBe("101 ideas are given, the limit is 100");
    expect(body(10_000).length).toBeLessThan(65_536);
    expect(read(body(10_000)).problem).toBe("10000 ideas are given, the limit is 100");
  });
});

describe("declaredExplore: what cannot be used", () => {
  const KNOWN = "ideas, ask, depth, beam, score, strict, patience";
  const NO_IDEAS =
    'no ideas are named: write "ideas:" with a list below it or files such as ideas/*.md, or "ask: 5"';

  it.each([
    ["", `${NO_IDEAS} (line 1: "Explore")`],
    ["_No response_", `${NO_IDEAS} (line 1: "Explore")`],
    ["```text\n\n```", `${NO_IDEAS} (line 1: "Explore")`],
    ["depth: 3", `${NO_IDEAS} (line 1: "Explore")`],
    ["ask: 5\nideas: a/", '"ideas" and "ask" exclude each other: keep one (line 3: "ideas: a/")'],
    ["ideas:\n- a\n\nask: 5", '"ideas" and "ask" exclude each other: keep one (line 5: "ask: 5")'],
    ["ideas: a/\n- b", 'ideas are files or a list, not both: keep one (line 2: "ideas: a/")'],
    [
      "ideas:",
      'no ideas follow: list them below, or name files such as ideas/*.md (line 2: "ideas:")',
    ],
    [
      "- ideas:\n- depth: 3",
      'no ideas follow: list them below, or name files such as ideas/*.md (line 2: "- ideas:")',
    ],
    ["```\nideas:\n-\n```", 'an idea has no words (line 4: "-")'],
    ["ideas:\n- \u200B", 'an idea has no words (line 3: "- \\u{200b}")'],
    [
      "ideas:\n- a\n- b\n- a",
      'two ideas are called "a": name one otherwise (line 3: "- a") (line 5: "- a")',
    ],
    ["depth: 1\nask: 5\ndepth: 2", '"depth" is said twice: keep one (line 4: "depth: 2")'],
    ["- strict\n- strict\n- ask: 5", '"strict" is said twice: keep one (line 3: "- strict")'],
    ["ideas: a/\nideas: b/", '"ideas" is said twice: keep one (line 3: "ideas: b/")'],
    [
      "ask: 5\nwidth: 3",
      `"width" is not known here, expected one of ${KNOWN} (line 3: "width: 3")`,
    ],
    [
      "ask: 5\n\n**max parallel:** 3",
      `"max parallel" is not known here, expected one of ${KNOWN} (line 4: "**max parallel:** 3")`,
    ],
    ["ask: 5\nstrict: maybe", 'strict has to be yes or no (line 3: "strict: maybe")'],
    ["ask: 5\nscore:", 'score has to be followed by a score\'s name (line 3: "score:")'],
  ])("is told for %j", (body, problem) => {
    expect(read(`## Explore\n${body}`)).toEqual({ explore: undefined, problem });
  });

  it.each([
    ["ask", 100, ["0", "101", "five", "", "-1", "1.5", "5 ideas", "1e1", "10000000000"]],
    ["depth", 10, ["0", "11", "two", "", "-1", "2.5"]],
    ["beam", 20, ["0", "21", "two", "", "-1", "2.5"]],
    ["patience", 10, ["0", "11", "two", "", "-1", "2.5"]],
  ])("wants a whole number for %s", (key, most, wrong) => {
    const before = key === "ask" ? "" : "ask: 5\n";
    for (const value of wrong) {
      const line = `- ${key}: ${value}`.trim();
      expect(read(`## Explore\n${before}${line}`).problem).toBe(
        `${key} has to be a whole number from 1 to ${most} (line ${before === "" ? 2 : 3}: "${line}")`,
      );
    }
    for (const value of [1, most]) {
      expect(read(`## Explore\n${before}- ${key}: ${value}`).problem).toBeUndefined();
    }
  });

  it.each([
    ["words instead of a key", "Be bold.\n\nask: 5", "Be bold."],
    ["words right below a key", "ask: 5\nand nothing else", "and nothing else"],
    ["words that begin with a key", "ask: 5\n\nDepth 3 is enough.", "Depth 3 is enough."],
    ["words that begin with a bold key", "ask: 5\n\n**Depth** is 3.", "**Depth** is 3."],
    ["an idea below a key", "- ideas:\n  - a\n  - depth: 3\n  - b", "- b"],
    ["a bullet that is no idea", "ask: 5\n- quick sort", "- quick sort"],
    ["a bullet below words below the list", "ideas:\n- a\n\nThe rest is for later.\n\n- b", "- b"],
    ["a bullet beside the ideas", "- ideas:\n  - a\n- b", "- b"],
    ["a line in code", "```\nideas:\n- a\nb\n```", "b"],
    ["files without a key", "ideas/*.md", "ideas/*.md"],
  ])("is told for %s", (_name, body, line) => {
    const found = read(`## Explore\n${body}`);
    expect(found.explore).toBeUndefined();
    expect(found.problem).toMatch(/expected one of ideas, ask, depth/);
    expect(found.problem).toContain(`: "${line}")`);
  });
});
