/** The demo's cards work on this small library with a test suite. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "text-tools", version: "1.0.0", type: "module", private: true }, null, 2)}\n`,
  "README.md": "# text-tools\n\nSmall functions for text.\n",
  "src/index.js": 'export { words } from "./words.js";\n',
  "src/words.js": 'export function words(text) {\n  return text.split(" ").filter(Boolean);\n}\n',
  "test/words.test.js": [
    'import { test } from "node:test";',
    'import assert from "node:assert/strict";',
    'import { words } from "../src/words.js";',
    "",
    'test("splits at spaces", () => {',
    '  assert.deepEqual(words("one  two"), ["one", "two"]);',
    "});",
    "",
  ].join("\n"),
};

export const SAMPLE_VERIFY = "node --test";

/** These eight cards have dependencies, one conflict (both word cards write src/words.js), and one card that runs alone. */
export const SAMPLE_TASKS = `
- id: slug
  title: Turn a title into a slug
  files: [src/slug.js, test/slug.test.js]
  minutes: 3
- id: wrap
  title: Wrap text at a width
  files: [src/wrap.js, test/wrap.test.js]
  minutes: 4
- id: title-case
  title: Write titles in title case
  files: [src/title-case.js, test/title-case.test.js]
  minutes: 2
- id: count
  title: Count the words of a text
  files: [src/count.js, test/count.test.js]
  minutes: 2
- id: unicode
  title: Split words at any Unicode space
  files: [src/words.js, test/words.test.js]
  minutes: 3
- id: hyphens
  title: Keep hyphenated words together
  files: [src/words.js, test/words.test.js]
  minutes: 2
- id: table
  title: Lay out rows as a table
  files: [src/table.js, test/table.test.js]
  dependsOn: [wrap]
  minutes: 3
- id: index
  title: Export everything and list it in the README
  dependsOn: [slug, wrap, title-case]
  labels: [exclusive]
  minutes: 1
`;

/**
 * This is the demo's scripted runner: it reads its prompt, takes a little time and writes what the card asks for. One card fails at its
 * first attempt, so that a retry can be seen. It is a program of its own, as any agent would be.
 */
export const SAMPLE_AGENT = String.raw`
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const prompt = readFileSync(0, "utf8");
const { WAVETRAIN_TASK_ID: id, WAVETRAIN_ATTEMPT: attempt } = process.env;
console.log("read " + prompt.length + " characters of instructions for " + id);

const work = {
  slug: [3500, () => unit("slug", "slug", "text.toLowerCase().trim().replaceAll(/[^a-z0-9]+/g, '-')", ["Big News", "big-news"])],
  wrap: [4000, () => unit("wrap", "wrap", "text.replaceAll(/(.{1,40})( |$)/g, '$1\\n').trimEnd()", ["short", "short"])],
  "title-case": [3000, () => unit("title-case", "titleCase", "text.replaceAll(/\\b[a-z]/g, (letter) => letter.toUpperCase())", ["big news", "Big News"])],
  count: [2500, () => unit("count", "count", "text.split(/\\s+/).filter(Boolean).length", ["one two", 2])],
  unicode: [3000, () => edit("src/words.js", 'text.split(" ")', "text.split(/\\s/u)")],
  hyphens: [3000, () => appendFileSync("src/words.js", "\nexport const HYPHENATED = /[\\p{L}]+(-[\\p{L}]+)*/gu;\n")],
  table: [3500, () => unit("table", "table", "text.split('\\n').map((row) => row.split(',').join(' | ')).join('\\n')", ["a,b", "a | b"])],
  index: [1500, index],
};

const [ms, change] = work[id];
await pause(ms);
if (id === "count" && attempt === "1") {
  console.error("the model's connection was cut");
  process.exit(1);
}
change();
console.log("done: " + id);

function unit(file, name, expression, [input, expected]) {
  mkdirSync("src", { recursive: true });
  writeFileSync("src/" + file + ".js", "export function " + name + "(text) {\n  return " + expression + ";\n}\n");
  writeFileSync("test/" + file + ".test.js", [
    'import { test } from "node:test";',
    'import assert from "node:assert/strict";',
    "import { " + name + ' } from "../src/' + file + '.js";',
    "",
    'test("' + name + '", () => {',
    "  assert.deepEqual(" + name + "(" + JSON.stringify(input) + "), " + JSON.stringify(expected) + ");",
    "});",
    "",
  ].join("\n"));
}

function edit(path, before, after) {
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(path + " is not as expected");
  writeFileSync(path, text.replace(before, after));
}

function index() {
  const names = { slug: "slug", wrap: "wrap", "title-case": "titleCase" };
  for (const [file, name] of Object.entries(names)) {
    appendFileSync("src/index.js", "export { " + name + ' } from "./' + file + '.js";\n');
    appendFileSync("README.md", "\n- " + name);
  }
  appendFileSync("README.md", "\n");
}
`;

/** These are the columns of a board that the app can work with as it is. */
export const BOARD_COLUMNS = [
  "Backlog",
  "Ready",
  "In progress",
  "In review",
  "Queued",
  "Blocked",
  "Done",
];
