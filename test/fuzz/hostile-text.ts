import fc from "../support/fast-check.ts";

/** Everything that Markdown, GitHub, our own reader of issues or a terminal gives a meaning to. */
const PIECES: readonly string[] = [
  // Mentions, references, links.
  "@everyone",
  "@org/team",
  "a@b.co",
  "&#64;bob",
  "&commat;bob",
  "\\@bob",
  "#7",
  "#99",
  "GH-7",
  "evil/repo#1",
  "Closes #99",
  "fixes evil/repo#1",
  "resolves GH-8",
  "a5c3785ed8d6a3586",
  "##7",
  "https://evil.example/x",
  "www.evil.example",
  "HTTP://e",
  "mailto:a@b.co",
  "ftp://e",
  "//e",
  "https://github.com/o/r/issues/4",
  "<https://evil.example>",
  "evil/repo@a5c3785ed8d6a3586",
  // Marks, blocks and their ends.
  "[x](//e)",
  "![x](//e)",
  "[x]: //e",
  "[x][y]",
  "[^1]",
  "[^1]: note",
  "- [ ] ",
  "- [x] ",
  "\n- ",
  "**",
  "__",
  "*",
  "_",
  "~~",
  "$",
  "$$",
  "$`",
  "`$",
  ":tada:",
  "\\",
  "\\\\",
  "\\`",
  "\\|",
  "&amp;",
  "&",
  "`",
  "``",
  "```",
  "````",
  "`````````",
  "```text\n",
  "\n```\n",
  "~~~",
  "\n~~~\n",
  "\n    ",
  "\t",
  "| a | b |",
  "|",
  "\n|---|\n",
  "# H",
  "\n# ",
  "> q",
  "\n> ",
  "1. ",
  "\n1) ",
  "---",
  "\n---\n",
  "===",
  "\n===\n",
  // HTML.
  "<img src=x onerror=1>",
  "<!--",
  "-->",
  "<!-->",
  "</details>",
  "<details>",
  "<a href='//e'>",
  "<b",
  "<![CDATA[",
  "]]>",
  "<?x",
  "<script>",
  "</script>",
  "<style>",
  "<br/>",
  "<",
  ">",
  // What the readers of issues and comments look for.
  "## Files\n",
  "**Files**\n",
  "Files:",
  "Files: ",
  "\nFiles: ",
  "## Depends on\n",
  "\nDepends on ",
  "read: ",
  "!",
  ",",
  "{",
  "}",
  "{a,b}",
  "[a-z]",
  "[!",
  "src/**",
  "src/a_b.ts",
  "..",
  "/",
  "./",
  ".git/",
  "_No response_",
  "none",
  "/retry",
  "/pause ",
  "\n/cancel\n",
  "/priority ",
  "/help",
  "high",
  "/clear",
  "size:l",
  "runner:",
  "contenders:3",
  "priority:high",
  "parallel-safe",
  "__proto__",
  "constructor",
  // Letters that are not seen, turn round, break or combine; ends of lines.
  "\u202E",
  "\u2066",
  "\u200B",
  "\u200D",
  "\u200F",
  "\uFEFF",
  "\u00AD",
  "\u{E0041}\u{E007F}",
  "\uFE0F\uFE0F",
  "\u0000",
  "\u001b[31m",
  "\u0007",
  "\u0085",
  "\u2028",
  "\uD800",
  "\uDC00",
  "\u0301",
  "\uFF20bob",
  "\uFF037",
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  " ",
  "  ",
  "\u00A0",
  "\u3000",
  "😀",
  "é",
  "日本",
  "ß",
  "İ",
  "ﬀ",
  // Words of ours and of Mermaid.
  "Wavetrain-Task: x#1",
  "\nCo-authored-by: x <a@b.co>",
  "\nSigned-off-by: x",
  "{{task}}",
  "{{title}}",
  '"',
  "'",
  ";",
  "%%{init}",
  "end",
  "click t0 href",
  "-->|x|",
  "]",
  ")",
  '"]',
  "$&",
  "$1",
  "word",
  "Rules:",
  "ghp_0123456789012345678901234567",
  "-----BEGIN RSA PRIVATE KEY-----",
  "x:y@z",
  "http://u:p@h/",
];

/** Shapes that hold up readers which go back: many of the same, and deep nesting. */
const SHAPES: readonly ((piece: string, times: number) => string)[] = [
  (piece, times) => piece.repeat(times),
  (piece, times) => `${"[".repeat(times)}${piece}${"]".repeat(times)}`,
  (piece, times) => `${"> ".repeat(times)}${piece}`,
  (piece, times) => `${"{a,".repeat(times)}${piece}${"}".repeat(times)}`,
  (piece, times) => `${"<!-- ".repeat(times)}${piece}`,
  (piece, times) =>
    Array.from({ length: times }, (_, at) => `${"`".repeat(at % 40)}${piece}`).join(""),
  (piece, times) => `## Files\n${`- ${piece}\n`.repeat(times)}`,
  (piece, times) => `${"a".repeat(times)}${piece}!`,
];

const PATHS: readonly string[] = [
  "src/a.ts",
  "src/**",
  "src/#7/a.ts",
  "src/@bob/**",
  "read: src/*.ts",
  "`src/a b.ts`",
  "!src/a/",
  "src/www.evil.example",
  "src/GH-7",
  "src/<img>.ts",
  "src/a|b.ts",
  "docs/{a,b}.md",
  "`src/ #7`",
  '`src/"x".ts`',
  "src/evil/repo#1",
  "[id].tsx",
  "src/`x`.ts",
];

/** GitHub takes no longer text. */
export const LONGEST = 65_536;

const piece = fc.nat(PIECES.length - 1).map((at) => PIECES[at] ?? "");

function joined(most: number): fc.Arbitrary<string> {
  return fc
    .array(fc.nat(PIECES.length - 1), { maxLength: most })
    .map((all) => all.map((at) => PIECES[at] ?? "").join(""));
}

function shaped(most: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(SHAPES.length - 1), piece, piece, fc.integer({ min: 1, max: most }))
    .map(([shape, one, two, times]) => (SHAPES[shape] ?? SHAPES[0])?.(`${one}${two}`, times) ?? "");
}

/** A line or a few of someone's. */
export const hostileLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 40, arbitrary: joined(12) },
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: shaped(60) },
);

/** The text of an issue or a comment, up to as long as GitHub takes. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 300, arbitrary: joined(40) },
  { weight: 30, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 30, arbitrary: shaped(200) },
  { weight: 1, arbitrary: shaped(LONGEST).map((text) => text.slice(0, LONGEST)) },
  { weight: 1, arbitrary: joined(40).map((text) => repeatedTo(LONGEST, text)) },
);

function repeatedTo(length: number, text: string): string {
  return text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length);
}

export const hostileLabels: fc.Arbitrary<readonly string[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: piece }, joined(3)),
  { maxLength: 4 },
);

/** The text of an issue that declares something: what is planned and explained. */
export const declaringText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...PATHS) }, joined(3)), {
      minLength: 1,
      maxLength: 4,
    }),
    joined(4),
  )
  .map(([paths, rest]) => `## Files\n${paths.map((path) => `- ${path}\n`).join("")}\n${rest}`);
