import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { GUARDS } from "./guards.ts";

// Whoever changes a guard changes its row: `mutate-guards.ts` takes each out of the source by these words.
it.each(GUARDS)("$name: stands in $file", async ({ file, find }) => {
  const text = await readFile(file, "utf8");
  expect(text.split(find)).toHaveLength(2);
});
