/**
 * The demo's scripted runner: reads its prompt, takes a little time and writes what the card asks for.
 * One card fails at its first attempt, so that a retry can be seen. It is a program of its own, as any agent would be.
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
