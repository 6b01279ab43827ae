import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { parseCommand } from "../../src/commands/parse-command.ts";
import type { TaskSpec } from "../../src/domain/task.ts";
import { feedbackOf } from "../../src/feedback/read-rework.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderPrompt, renderTaskFile } from "../../src/runner/agent/prompt.ts";
import { visibleText } from "../../src/shared/markdown/visible-text.ts";
import { aConfig } from "../support/a-config.ts";
import { anIssue, aSpec, aTask, NOW } from "../support/builders.ts";
import fc from "../support/fast-check.ts";

/** A word that no page shows, where it stands; `SHOWN` is seen. */
const UNSEEN: readonly (readonly [kind: string, text: string])[] = [
  ["a comment", "SHOWN <!-- HIDDEN --> SHOWN"],
  ["a comment of several paragraphs", "SHOWN\n<!--\n\nHIDDEN\n\n-->\nSHOWN"],
  ["a comment that is never closed", "SHOWN\n\n<!-- HIDDEN\n\nHIDDEN"],
  ["a comment behind code of four blanks", "\u200B    <!-- HIDDEN --> SHOWN"],
  ["a comment behind an escape of nothing", "SHOWN \\\u200B<!-- HIDDEN -->"],
  ["a comment behind an instruction without end", "SHOWN <?php <!-- HIDDEN --> SHOWN"],
  [
    "a comment that HTML opens and Markdown does not close",
    "<div><!--\n\nHIDDEN -->\n\n<p>--></p>\n\nSHOWN",
  ],
  ["the alternative text of an image", "SHOWN ![HIDDEN](a.png) SHOWN"],
  ["the same with an image in it", "SHOWN ![a ![HIDDEN](b.png) HIDDEN](a.png)"],
  ["the title of a link", 'SHOWN [SHOWN](a "HIDDEN")'],
  ["the title of an image", "SHOWN ![](a 'HIDDEN')"],
  ["the title of a link on the next line", 'SHOWN [SHOWN](a\n"HIDDEN")'],
  ["the label of a link", "SHOWN [SHOWN][HIDDEN]\n\n[HIDDEN]: a"],
  ["a definition's label", "SHOWN\n\n[HIDDEN]: a"],
  ["a definition's title", "SHOWN\n\n[//]: # (HIDDEN)"],
  ["a definition's title on the next line", "SHOWN\n\n[x]: /a\n  'HIDDEN'"],
  ["a definition's title on several lines", "SHOWN\n\n[x]: /a '\nHIDDEN\n'"],
  ["a definition in a quote", '> SHOWN\n>\n> [x]: /a "HIDDEN"'],
  ["a definition in a list", '- SHOWN\n\n  [x]: /a "HIDDEN"\n- SHOWN'],
  ["a second definition of a label", '[SHOWN][x]\n\n[x]: /a\n\n[x]: /b "HIDDEN"'],
  ["an instruction", "SHOWN <?HIDDEN?> SHOWN"],
  ["an instruction of several lines", "SHOWN\n<?php\n\nHIDDEN\n?>\n\nSHOWN"],
  ["a declaration", "SHOWN <!DOCTYPE HIDDEN> SHOWN"],
  ["a declaration that begins a line", "<!X HIDDEN>\n\nSHOWN"],
  ["CDATA", "SHOWN <![CDATA[ HIDDEN > HIDDEN ]]> SHOWN"],
  ["an attribute", 'SHOWN <b title="HIDDEN">SHOWN</b>'],
  ["an attribute with an end of a tag in it", 'SHOWN <b title="> HIDDEN">SHOWN</b>'],
  ["the same in a block", '<div title="> HIDDEN\n> HIDDEN">\nSHOWN\n</div>'],
  ["an attribute that a block leaves open", 'SHOWN\n\n<div title="\n\nHIDDEN\n\n<p ">\n\nSHOWN'],
  ["a tag that a block leaves open", "SHOWN\n\n<div HIDDEN=x\n\nSHOWN"],
  ["a tag of 3,000 characters", `SHOWN <b title="${"x".repeat(3000)} HIDDEN">SHOWN</b>`],
  ["an unknown tag", "SHOWN <HIDDEN>SHOWN</HIDDEN> <x-HIDDEN y='HIDDEN'>"],
  ["a script", "SHOWN\n\n<script>\n\nHIDDEN <b>\n\n</script>\n\nSHOWN"],
  ["a style within a line", "SHOWN <style>HIDDEN **HIDDEN**</style> SHOWN"],
  [
    "a style over paragraphs",
    "<p><style>\n\nHIDDEN\n\n- HIDDEN\n\n```\nHIDDEN\n```\n\n</style></p>\n\nSHOWN",
  ],
  ["a template", "SHOWN <template>HIDDEN</template> SHOWN"],
  ["a hidden element", "<div hidden>\n\nHIDDEN <div>HIDDEN</div> HIDDEN\n\n</div>\n\nSHOWN"],
  ["a hidden element in a list", "- SHOWN <span hidden>HIDDEN\n- SHOWN"],
  ["a stand-in", "<video><p>HIDDEN</p></video> SHOWN"],
  ["a footnote that nothing refers to", "SHOWN\n\n[^a]: HIDDEN\n    HIDDEN\n\n    HIDDEN\n\nSHOWN"],
  ["a footnote of such a footnote", "SHOWN\n\n[^a]: HIDDEN[^b]\n\n[^b]: HIDDEN"],
  ["a second footnote of a label", "SHOWN[^a]\n\n[^a]: SHOWN\n\n[^a]: HIDDEN"],
  ["a footnote's label", "SHOWN[^HIDDEN]\n\n[^HIDDEN]: SHOWN"],
  ["words beside a language", "```js HIDDEN title=HIDDEN\nSHOWN\n```"],
  ["words of a language", "~~~ HIDDEN-HIDDEN-HIDDEN-HIDDEN\nSHOWN\n~~~"],
  ["a remark in a diagram", "```mermaid\ngraph TD\n  %% HIDDEN\n  accTitle: HIDDEN\n  SHOWN\n```"],
  ["what a map is drawn from", 'SHOWN\n\n```geojson\n{"x":"HIDDEN"}\n```'],
  ["a phantom", "SHOWN $x \\phantom{HIDDEN}$ SHOWN"],
  ["white writing", "SHOWN $$\\color{white} HIDDEN$$ SHOWN"],
  ["white writing over lines", "SHOWN\n\n$$\n\\textcolor{white}{\nHIDDEN}\n$$"],
  ["a phantom between backticks", "SHOWN $`\\phantom{HIDDEN}`$"],
  ["a phantom with a doubled mark", "SHOWN $\\\\phantom{HIDDEN}$"],
  ["a phantom by its entity", "SHOWN $&bsol;phantom{HIDDEN}$"],
  ["a phantom in HTML", "<div>\n$$\n\\phantom{HIDDEN}\n$$\n</div>\n\nSHOWN"],
  ["a remark in a formula", "SHOWN $x % HIDDEN\ny$"],
  ["a block of hidden maths", "SHOWN\n\n```math\n\\phantom{HIDDEN}\n```"],
  ["a cell that the table has no column for", "| SHOWN |\n| --- |\n| SHOWN | HIDDEN |"],
  ["a link without words", "SHOWN [](https://e.example/HIDDEN) [\u200B](/HIDDEN)"],
  ["the same in HTML", 'SHOWN <a href="https://e.example/HIDDEN"></a> SHOWN'],
  [
    "an address that GitHub takes out",
    "SHOWN [SHOWN](data:text/plain,HIDDEN) ![](javascript:HIDDEN)",
  ],
  [
    "characters of tags",
    `SHOWN${Array.from("HIDDEN", (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join("")}`,
  ],
];

const SEEN: readonly (readonly [kind: string, text: string, told: string])[] = [
  ["code as it is", "```js\n<!-- x -->\n\n  [a]: b\n```", "```js\n<!-- x -->\n\n  [a]: b\n```"],
  ["code within a line", 'Use `<a title="x">` here', 'Use `<a title="x">` here'],
  [
    "a link with its address",
    "[the page](https://e.example/a 'x')",
    "[the page](https://e.example/a)",
  ],
  [
    "a link of HTML",
    '<a href="https://e.example/a" title="x">the page</a>',
    "the page (https://e.example/a)",
  ],
  [
    "an address alone",
    "<https://e.example/a>, https://e.example/b",
    "https://e.example/a, https://e.example/b",
  ],
  ["an image's address", '![x](a.png)\n<img alt="x" src="b.png">', "![](a.png)\n![](b.png)"],
  ["what is folded", "<details><summary>More</summary>\n\nwords\n\n</details>", "More\n\nwords"],
  ["what is inside unknown tags", "a <x-y>b</x-y> c", "a b c"],
  ["what is preformatted", "<pre>\n  a\n    b\n</pre>\n\nc", "a\n    b\n\nc"],
  ["cells of HTML", "<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
  ["what follows an empty drawing", "a <svg/> b", "a  b"],
  ["dollars in code", "`$a\\b` and `c$`", "`$a\\b` and `c$`"],
  ["what only looks like HTML", "1 < 2, a <- b, \\<b> &lt;i&gt;", "1 < 2, a <- b, <b> <i>"],
  [
    "lists, boxes and quotes",
    "1. a\n   - [ ] b\n\n> [!NOTE]\n> c",
    "1. a\n   - [ ] b\n\n> [!NOTE]\n> c",
  ],
  ["tables", "| a | b |\n| - | - |\n| c | d |", "| a | b |\n| --- | --- |\n| c | d |"],
  ["marks of emphasis", "**a** _b_ ~~c~~ __init__.py", "**a** _b_ ~~c~~ __init__.py"],
  [
    "formulas that show",
    "$\\frac{a}{b} \\le 1$ costs $5 or 10%",
    "$\\frac{a}{b} \\le 1$ costs $5 or 10%",
  ],
  [
    "footnotes by their numbers",
    "a[^x]\n\n[^x]: b\n\n    c\n\nd",
    "a[^1]\n\nd\n\n[^1]: b\n\n    c",
  ],
  ["headings", "Title\n=====\n\n### Sub ###\ntext", "# Title\n\n### Sub\ntext"],
  ["a comment that Markdown shows", "a <!-- b\n\nc -->", "a <!-- b\n\nc -->"],
];

function told(body: string): string {
  const task = aTask({ spec: aSpec({ body }) });
  const comments = [{ path: "src/a.ts", line: 3, text: body, at: NOW }];
  const review = { id: "R_1", by: "ann", automated: false, state: "changes-requested" } as const;
  const prompt = renderPrompt({
    task,
    attempt: 2,
    previous: undefined,
    verify: undefined,
    feedback: [feedbackOf({ ...review, body, at: NOW, comments })],
    taskFile: "/input/task.md",
    template: undefined,
    note: undefined,
    goesOn: true,
    work: "none",
    resumed: false,
  });
  return `${prompt}\n${renderTaskFile(task)}`;
}

function read(body: string): TaskSpec {
  return taskSpecFromIssue(anIssue({ body }), aConfig());
}

function commentOn(body: string): string {
  const task = aTask({ spec: aSpec({ body }) });
  return renderComment({ task, run: undefined, entry: undefined, attemptLimit: 3 });
}

/** What one text leaves undefined, another must not define. */
function withOwnLabels(text: string, at: number): string {
  return text.replace(/\[(\^?(?:x|a|b|HIDDEN))\]/g, `[$1${at}]`);
}

function within(container: string, text: string): string {
  const rest = container.replace(/[^> ]/g, " ");
  return text
    .split("\n")
    .map((line, at) => `${at === 0 ? container : rest}${line}`)
    .join("\n");
}

describe("5: text that GitHub does not show", () => {
  it.each(UNSEEN)("%s reaches no agent, and what stands around it does", (_kind, text) => {
    const all = told(text);
    expect(all).not.toContain("HIDDEN");
    const places = 4;
    expect(all.match(/SHOWN/g)).toHaveLength((text.match(/SHOWN/g) ?? []).length * places);
  });

  it.each(SEEN)("%s is told", (_kind, text, expected) => {
    expect(visibleText(text)).toBe(expected);
    expect(told(text)).toContain(expected.split("\n")[0]?.replaceAll("@", "@\u200B"));
  });

  it("a word at any place that is not seen, among anything, is not told", () => {
    const blocks = fc.array(fc.constantFrom(...UNSEEN), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(blocks, fc.constantFrom("", "> ", "- ", "1. > "), (chosen, container) => {
        const texts = chosen
          .filter(([kind]) => !kind.includes("never closed"))
          .map(([, text], at) => within(container, withOwnLabels(text, at)));
        const whole = [...texts, "SHOWN"].join("\n\n");
        const all = visibleText(whole);
        expect(all).not.toContain("HIDDEN");
        expect(all.split("SHOWN")).toHaveLength(whole.split("SHOWN").length);
      }),
      { numRuns: 1500, seed: 20_261_117 },
    );
  });

  it("declares nothing", () => {
    for (const [kind, text] of UNSEEN) {
      for (const said of ["Files: evil.ts", "Depends on #7"]) {
        const { claims, dependsOn } = read(text.replaceAll("HIDDEN", said));
        expect([claims, dependsOn], kind).toEqual([[], []]);
      }
    }
  });

  it.each([
    ["Files: `src/a b.ts`, <b>src/c.ts</b> <!-- , evil.ts -->", ["src/a b.ts", "src/c.ts"]],
    ["## Files\n- ![evil.ts](x) src/a.ts\n- [src/b.ts](evil.ts)", []],
    ['## Files\n\n- src/a.ts\n\n[x]: evil "- evil.ts"\n', ["src/a.ts"]],
    ["## Files\n\n~~~ evil.ts\nsrc/a.ts\n~~~", ["src/a.ts"]],
    ["<details><summary>Files:</summary>\n\n- src/a.ts\n\n</details>", ["src/a.ts"]],
    ["## Files\n- src/a&#46;ts\n- src/&lt;b>.ts", ["src/a.ts", "src/<b>.ts"]],
    ["    Files: evil.ts\n\nFiles: src/a.ts", ["src/a.ts"]],
  ])("files are those that the page shows of %j", (body, files) => {
    expect(read(body).claims.map(({ pattern }) => pattern)).toEqual(files);
  });

  it.each([
    "<!--\n\n-->\n    /retry",
    "<div hidden>\n\n/retry",
    "<script>\n/retry\n</script>",
    "- /retry",
    "> /retry",
    "```\n/retry\n```",
    "# /retry",
    "``/retry``",
    "[x]: a '\n/retry'",
    "word[^1]\n\n[^1]: /retry",
    "$\\phantom{x}$ word\n/retry",
  ])("%j gives no command", (body) => {
    expect(parseCommand(body)).toBeUndefined();
  });

  it.each(["/retry", "<!-- x -->\n\n/retry", "[x]: a 'y'\n\n/retry <!-- z -->", "<p>/retry</p>"])(
    "%j gives one",
    (body) => {
      expect(parseCommand(body)).toEqual({ kind: "retry" });
    },
  );

  it("the comment on the issue says what was left out, once, and only then", () => {
    expect(commentOn('Do it. <!-- psst -->\n<!-- again -->\n\n[a](b "c")')).toContain(
      "\n- Text that GitHub does not show was left out of what agents read: comments, titles of links and images\n",
    );
    const unsaid = /label|a cell/;
    for (const [kind, text] of UNSEEN) {
      if (!unsaid.test(kind)) expect(commentOn(text), kind).toContain("was left out of what");
    }
    for (const [kind, text] of SEEN) {
      if (!/x['"[]|\bx\]|<x-y|<svg/.test(text))
        expect(commentOn(text), kind).not.toContain("was left out");
    }
    expect(commentOn("<!-- wavetrain:id=objective-1.a -->\n\nDo it 👨‍👩‍👧 ❤️")).not.toContain(
      "left out",
    );
  });

  it("reads the same every time, and what it read says no less the second time", () => {
    for (const [, text, expected] of SEEN) {
      expect(visibleText(text)).toBe(visibleText(text));
      if (!/<|\[\^|\n {4}/.test(expected)) expect(visibleText(expected)).toBe(expected);
    }
  });
});

/** One for each thing that a parser may go back or down for. */
const HOSTILE: readonly ((times: number) => string)[] = [
  ...[
    "> ",
    "- ",
    "1. ",
    "[",
    "![",
    "![a](",
    "](",
    "[a](b)",
    "[a](<b",
    "[a][",
    "[a]: ",
    "[^a]",
    "[^a]: ",
    "[^a]: b\n\n",
    "`",
    "` ``",
    "``` ",
    "~~~\n",
    "*a",
    "**a ",
    "_a_ ",
    "~~a",
    "<",
    "<a",
    "<a b='",
    "<b>",
    "</b",
    "<!--",
    "<!-- -->",
    "<!x",
    "<?",
    "<![CDATA[",
    "<p\n\n",
    "<svg>\n\n",
    "<p title='\n\n",
    "<script>",
    "<div hidden>\n\n",
    "$",
    "$a ",
    "$\\x$ ",
    "$$",
    "%",
    "&amp;",
    "\\",
    "|",
    "|a",
    "a|b\n-|-\n",
    "a\n=\n",
    "\t",
    "#",
    "# a\n",
    "\u200B",
    "\uD800",
    "https://a.b ",
  ].map(
    (piece) => (times: number) => piece.repeat(Math.ceil(times / piece.length)).slice(0, times),
  ),
  (times) => `${"[".repeat(times / 2)}${"](a)".repeat(times / 8)}`,
  (times) => `${"![".repeat(times / 8)}${"](a)".repeat(times / 8)}`,
  (times) => `${"<b>".repeat(times / 8)}${"</b>".repeat(times / 8)}`,
  (times) => Array.from({ length: Math.sqrt(times) }, (_, at) => "`".repeat(at)).join(" "),
];

describe("5: texts that are made to be hard to read", () => {
  it.each(HOSTILE.map((make) => [make(12), make] as const))(
    "%j takes at most four times as long when it is twice as long, and no stack",
    (_start, make) => {
      visibleText(make(65_536));
      const [half, whole] = [make(16_384), make(32_768)];
      let [least, most] = [Infinity, Infinity];
      for (let tries = 0; tries < 5 && !(most < 4 * least + 40); tries += 1) {
        least = Math.min(least, spent(half));
        most = Math.min(most, spent(whole));
      }
      // What takes next to no time is measured too coarsely to be compared.
      expect(most).toBeLessThan(4 * least + 40);
    },
  );
});

function spent(text: string): number {
  const before = process.cpuUsage();
  visibleText(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
