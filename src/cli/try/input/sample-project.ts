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
