import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../../src/board/issue/task-from-issue.ts";
import { repoName } from "../../../src/domain/ids.ts";
import { anIssue, DEFAULTS } from "../issues.ts";

const read = (body: string) => taskSpecFromIssue(anIssue({ body }), DEFAULTS);
const patterns = (body: string) =>
  read(body).claims.map(({ mode, pattern }) => (mode === "write" ? pattern : `${mode} ${pattern}`));

describe("taskSpecFromIssue: files", () => {
  it.each([
    ["a heading", "## Files\n\n- src/a.ts\n- src/b/", ["src/a.ts", "src/b/"]],
    ["a deep heading with a colon", "###### files:\nsrc/a.ts", ["src/a.ts"]],
    ["a closed heading", "## Files ##\nsrc/a.ts", ["src/a.ts"]],
    ["an underlined heading", "Files\n-----\nsrc/a.ts", ["src/a.ts"]],
    ["a bold line", "**Files**\n\n* src/a.ts", ["src/a.ts"]],
    ["a bold line with a colon", "**Files:**\n- src/a.ts", ["src/a.ts"]],
    ["an underscored bold line", "__Files__\n- src/a.ts", ["src/a.ts"]],
    ["a line with a list", "Files:\n\n1. src/a.ts\n2) src/b.ts\n", ["src/a.ts", "src/b.ts"]],
    ["an inline list", "Files: src/a.ts, src/{b,c}.ts", ["src/a.ts", "src/{b,c}.ts"]],
    ["a bold inline list", "**Files:** *.md, **/x.ts", ["*.md", "**/x.ts"]],
    ["a bullet", "- Files: src/a.ts", ["src/a.ts"]],
    ["check boxes", "## Files\n- [ ] src/a.ts\n- [x] src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["a code fence", "## Files\n```text\n# remark\nsrc/a b.ts\n```", ["src/a b.ts"]],
    ["a fence below a line", "Files:\n~~~\nsrc/a,b.ts\n~~~\nnot/this.ts", ["src/a,b.ts"]],
    ["backticks", "## Files\n- `src/a b.ts`, `c,d.ts`", ["src/a b.ts", "c,d.ts"]],
    ["double backticks", "## Files\n- ``src/a.ts``", ["src/a.ts"]],
    ["explained backticks", "## Files\n- `src/a.ts` (new, see notes)", ["src/a.ts"]],
    ["both kinds", "## Files\n- `src/a.ts`, docs/b.md, and more", ["src/a.ts", "docs/b.md"]],
    ["escaped stars", "## Files\n- src/\\*\\*/\\_x.ts", ["src/**/_x.ts"]],
    ["patterns like bold", "## Files\n**/gen/**\n__tests__\n", ["**/gen/**", "__tests__"]],
    ["a path above a rule", "## Files\nsrc/a.ts\n---\nmore", ["src/a.ts"]],
    ["Windows line ends", "## Files\r\n\r\n- src/a.ts\r\n- src/b.ts\r\n", ["src/a.ts", "src/b.ts"]],
    ["the same path twice", "## Files\n- a.ts\n- a.ts\n\n## Files\n- a.ts", ["a.ts"]],
    ["reads", "## Files\n- read: src/a.ts\n- `read: src/b.ts`", ["read src/a.ts", "read src/b.ts"]],
    ["a line of reads", "Files: x.ts, Read: a.ts, `b.ts`", ["x.ts", "read a.ts", "read b.ts"]],
    [
      "exceptions",
      "## Files\n- src/\n- !src/gen/\n- !`a b`",
      ["src/", "except src/gen/", "except a b"],
    ],
    ["an empty form field", "### Files\n\n_No response_\n\n### Depends on\n\n_No response_", []],
    ["an empty form field that would be code", "### Files\n\n```text\n\n```\n\n### More", []],
    ["no section", "Change the files that need it. Files are many.", []],
  ])("reads %s", (_name, body, expected) => {
    expect(read(body).invalid).toBeUndefined();
    expect(patterns(body)).toEqual(expected);
  });

  it.each([
    ["the next heading", "## Files\n- a.ts\n\n## Notes\n- b.ts"],
    ["a bold line", "## Files\n- a.ts\n**Notes**\n- b.ts"],
    ["an underlined heading", "## Files\n- a.ts\n\nNotes\n---\n- b.ts"],
    ["a rule", "## Files\n- a.ts\n\n***\n- b.ts"],
    ["a dependency", "## Files\n- a.ts\nDepends on #3\n- b.ts"],
    ["prose below a line's list", "Files:\n- a.ts\n\nThen also\n- b.ts"],
    ["prose below a heading's list", "## Files\n- a.ts\n\nThe rest stays as it is.\n\n- b.ts"],
    ["prose of several lines", "## Files\n- a.ts\n\nThe rest stays\nas it is, e.g. b.ts"],
    ["prose that names a path", "## Files\n- a.ts\n\nPlease leave `b.ts` alone."],
    ["prose below plain lines", "## Files\na.ts\n\nPlease be quick, and do not ask."],
    ["prose below a code fence", "## Files\n```\na.ts\n```\n\nPlease be quick about it."],
    ["a quote", "## Files\n- a.ts\n\n> somebody said: `b.ts`"],
  ])("stops at %s", (_name, body) => {
    expect(read(body).invalid).toBeUndefined();
    expect(patterns(body)).toEqual(["a.ts"]);
  });

  it.each([
    ["a paragraph of an item", "## Files\n- a.ts\n\n  It is long\n  and old.\n\n- b.ts"],
    ["a path in a paragraph of its own", "## Files\n- a.ts\n\nb.ts"],
    ["explained paths in a paragraph of their own", "## Files\n- a.ts\n\n`b.ts` (new, see notes)"],
  ])("goes on after %s", (_name, body) => {
    expect(read(body).invalid).toBeUndefined();
    expect(patterns(body)).toEqual(["a.ts", "b.ts"]);
  });

  it("ignores what is in a comment or in an unrelated fence", () => {
    const body =
      "<!--\n## Files\n- evil.ts\n-->\n```\n## Files\n- evil.ts\n```\n## Files\n- <!-- x -->a.ts";
    expect(patterns(body)).toEqual(["a.ts"]);
  });

  it("treats a comment that is never closed as GitHub does", () => {
    expect(patterns("## Files\n- a.ts\n<!-- hidden\n- b.ts")).toEqual(["a.ts"]);
    expect(patterns("Arrows look like <!-- this.\n## Files\n- a.ts")).toEqual(["a.ts"]);
  });
});

describe("taskSpecFromIssue: bad files", () => {
  it.each([
    ["## Files\n- /etc/passwd", "absolute path"],
    ["## Files\n- ~/.ssh/id", "absolute path"],
    ["## Files\n- C:/windows", "absolute path"],
    ["## Files\n- src/../../x", "leaves the repository"],
    ["## Files\n- src/{a,..}/x", "leaves the repository"],
    ["## Files\n- !../x", "leaves the repository"],
    ["## Files\n- .git/config", ".git is not part"],
    ["## Files\n- sub/.GIT/hooks/", ".git is not part"],
    ["## Files\n- `a\u0000b`", "control character"],
    ["## Files\n- a\u202Eb.ts", "cannot be seen"],
    ["## Files\n- a\u3164b.ts", "cannot be seen"],
    ["## Files\n- a\u{E0000}b.ts", "cannot be seen"],
    ["## Files\n- src\\a.ts", "use / between names"],
    ["## Files\n- https://example.com/a.ts", "a link is not a path"],
    ["## Files\n- <details>", "names no path"],
    ["## Files\n- `a.ts", "a backtick without its partner"],
    ["## Files\n- read:", "names no path"],
    [`## Files\n- ${"a".repeat(1025)}`, "1024"],
    ["## Files\n- only these two", "one path a line"],
    ["## Files\n- a.ts\n- only these two", "one path a line"],
    ["## Files\n- a.ts\nand nothing else", "one path a line"],
    ["## Files\nOnly these two:\n\n- a.ts", "one path a line"],
    ["## Files\n- a.ts\n\n/etc/passwd", "absolute path"],
    ["## Files\n\n## Notes", "names no path"],
    ["Files:", "names no path"],
    ["## Files\n-\n- ", "names no path"],
  ])("refuses %j and quotes it", (body, problem) => {
    const { invalid } = read(body);
    expect(invalid?.code).toBe("bad-claim");
    expect(invalid?.reason).toContain(problem);
    expect(invalid?.reason).toMatch(/line \d+/);
  });

  it("names the line as the author counts it", () => {
    expect(read("<!-- a\nb -->\n\n## Files\n- a.ts\n- /b.ts").invalid?.reason).toBe(
      `cannot use "/b.ts": absolute path: write it from the root of the repository, without a leading / (line 6: "- /b.ts")`,
    );
  });

  it("limits the number of claims", () => {
    const body = `## Files\n${Array.from({ length: 201 }, (_, i) => `- f${i}.ts`).join("\n")}`;
    expect(read(body).invalid).toEqual({
      code: "bad-claim",
      reason: "201 paths are declared, the limit is 200: use folders or patterns",
    });
  });

  it("limits the text", () => {
    const spec = read(`## Files\n- a.ts\n${"x".repeat(65_536)}`);
    expect(spec.body).toHaveLength(65_536);
    expect(spec.invalid?.code).toBe("bad-task");
  });

  it("wants a title", () => {
    expect(taskSpecFromIssue(anIssue({ title: "  " }), DEFAULTS).invalid?.code).toBe("bad-task");
  });
});

describe("taskSpecFromIssue: dependencies", () => {
  it.each([
    ["Depends on #12, owner/repo#3", ["acme/shop#12", "owner/repo#3"]],
    ["depends ON: #4 and #5.", ["acme/shop#4", "acme/shop#5"]],
    ["- **Depends on:** #4", ["acme/shop#4"]],
    [
      "## Depends on\n- #4 (adds the table)\n  it has notes\n- [x] #5",
      ["acme/shop#4", "acme/shop#5"],
    ],
    ["Depends on:\n- #4\n\nSee #5", ["acme/shop#4"]],
    ["Depends on https://github.com/o/r.js/issues/3#issuecomment-1", ["o/r.js#3"]],
    ["Depends on [the table](https://github.example.com/acme/shop/issues/4)", ["acme/shop#4"]],
    ["Depends on ACME/Shop#4", ["acme/shop#4"]],
    ["Depends on my_corp/shop#4", ["my_corp/shop#4"]],
    ["Depends on https://github.com/ann_corp/shop/issues/4", ["ann_corp/shop#4"]],
    ["### Depends on\n\n_No response_", []],
    ["### Depends on\n\nNone", []],
    ["Depends on the weather, see #4", []],
    ["It depends on #4", []],
    ["```\nDepends on #4\n```", []],
    ["> Depends on #4", []],
  ])("reads %j", (body, expected) => {
    expect(read(body).invalid).toBeUndefined();
    expect(read(body).dependsOn).toEqual(expected);
  });

  it.each([
    ["Depends on #abc", '"#abc" is not an issue'],
    ["Depends on #4, #0", '"#0" is not an issue'],
    ["Depends on: the parser", "names no issue"],
    ["## Depends on\n\n## Files\n- a.ts", "names no issue"],
  ])("refuses %j", (body, problem) => {
    expect(read(body).invalid?.code).toBe("bad-task");
    expect(read(body).invalid?.reason).toContain(problem);
  });

  it("joins GitHub's relations, those of the parent and the written ones, sorted, each once", () => {
    const repo = repoName("acme/shop");
    const other = (number: number) => ({ repo, number, state: "open" as const });
    const issue = anIssue({
      body: "Depends on #3, #1",
      blockedBy: [other(5), other(3)],
      parent: { repo, number: 9, labels: [], blockedBy: [other(12), other(7)] },
    });
    const spec = taskSpecFromIssue(issue, DEFAULTS);
    expect(spec.parent).toBe("acme/shop#9");
    expect(spec.dependsOn).toEqual(["acme/shop#1", "acme/shop#3", "acme/shop#5", "acme/shop#7"]);
  });
});

describe("taskSpecFromIssue: labels", () => {
  const withLabels = (...labels: string[]) => taskSpecFromIssue(anIssue({ labels }), DEFAULTS);

  it("runs a task without labels alone, at normal priority", () => {
    expect(withLabels()).toMatchObject({
      parallelSafe: false,
      exclusive: false,
      priority: "normal",
      size: undefined,
      runner: undefined,
      invalid: undefined,
    });
  });

  it("reads every label, whatever its case", () => {
    const labels = ["Parallel-Safe", "EXCLUSIVE", "priority:low", "size:XL", "runner:Codex"];
    expect(withLabels(...labels)).toMatchObject({
      parallelSafe: true,
      exclusive: true,
      priority: "low",
      size: "xl",
      runner: "codex",
    });
  });

  it("inherits parallel-safe from the parent and nothing else", () => {
    const parent = {
      repo: repoName("acme/shop"),
      number: 9,
      labels: ["parallel-safe", "exclusive", "runner:codex"],
      blockedBy: [],
    };
    expect(taskSpecFromIssue(anIssue({ parent }), DEFAULTS)).toMatchObject({
      parallelSafe: true,
      exclusive: false,
      runner: undefined,
    });
  });

  it("takes the higher priority and the larger size of two", () => {
    expect(withLabels("priority:low", "priority:high", "size:s", "size:l")).toMatchObject({
      priority: "high",
      size: "l",
    });
  });

  it("does not choose between two runners", () => {
    expect(withLabels("runner:a", "runner:b").invalid).toEqual({
      code: "bad-task",
      reason: 'labels name 2 runners, "a" and "b": keep one',
    });
  });
});
