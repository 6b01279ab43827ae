/**
 * This is the demo's scripted runner: it reads its prompt, takes a little time and writes what the card asks for. One card fails at its
 * first attempt, so that a retry can be seen. Where its change is there already, it answers what was said about it. It is a program of its
 * own, as any agent would be.
 */
export const SAMPLE_AGENT = String.raw`
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const prompt = readFileSync(0, "utf8");
const { WAVETRAIN_TASK_ID: id, WAVETRAIN_ATTEMPT: attempt } = process.env;
console.log("read " + prompt.length + " characters of instructions for " + id);

const work = {
  slug: unit(3500, "slug", "slug", "text.toLowerCase().trim().replaceAll(/[^a-z0-9]+/g, '-')", ["Big News", "big-news"]),
  wrap: unit(4000, "wrap", "wrap", "text.replaceAll(/(.{1,40})( |$)/g, '$1\\n').trimEnd()", ["short", "short"]),
  "title-case": unit(3000, "title-case", "titleCase", "text.replaceAll(/\\b[a-z]/g, (letter) => letter.toUpperCase())", ["big news", "Big News"]),
  count: unit(2500, "count", "count", "text.split(/\\s+/).filter(Boolean).length", ["one two", 2]),
  unicode: { ms: 3000, file: "src/words.js", sign: "/\\s/u", change: () => edit("src/words.js", 'text.split(" ")', "text.split(/\\s/u)") },
  hyphens: { ms: 3000, file: "src/words.js", sign: "HYPHENATED", change: () => appendFileSync("src/words.js", "\nexport const HYPHENATED = /[\\p{L}]+(-[\\p{L}]+)*/gu;\n") },
  table: unit(3500, "table", "table", "text.split('\\n').map((row) => row.split(',').join(' | ')).join('\\n')", ["a,b", "a | b"]),
  index: { ms: 1500, file: "src/index.js", sign: "titleCase", change: index },
};

const { ms, file, sign, change } = work[id] ?? other();
const isDone = existsSync(file) && readFileSync(file, "utf8").includes(sign);
await pause(isDone ? 1500 : ms);
if (id === "count" && attempt === "1") {
  console.error("the model's connection was cut");
  process.exit(1);
}
if (isDone) answer();
else change();
console.log("done: " + id);

// The request is quoted in the prompt, in a fence of backticks.
function answer() {
  const said = [...prompt.matchAll(/ said:\n\n(\x60{3,})[^\n]*\n([^]*?)\n\1/g)].map(([, , words]) => words);
  const asked = said.at(-1)?.split("\n").find((line) => line.trim() !== "");
  if (asked === undefined) return;
  const round = readFileSync(file, "utf8").split("// Review ").length;
  appendFileSync(file, "\n// Review " + round + ": " + asked.trim().slice(0, 100) + "\n");
}

// A card that somebody made by hand gets a line in the first file that it names.
function other() {
  const [, rules = ""] = /match:\n((?: {2}- .*\n)+)/.exec(prompt) ?? [];
  const named = [...rules.matchAll(/- (\S+)/g)].map(([, path]) => path).filter((path) => !/[*?[]|\/$/.test(path));
  const file = named[0] ?? "NOTES.md";
  const line = "Done: " + (process.env.WAVETRAIN_TASK_TITLE ?? id) + "\n";
  return { ms: 2000, file, sign: line, change: () => { mkdirSync(dirname(file), { recursive: true }); appendFileSync(file, line); } };
}

function unit(ms, file, name, expression, example) {
  return { ms, file: "src/" + file + ".js", sign: name, change: () => writeUnit(file, name, expression, example) };
}

function writeUnit(file, name, expression, [input, expected]) {
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
