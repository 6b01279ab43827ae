import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const PAGE = readFileSync("docs/github.md", "utf8");

interface Row {
  readonly path: string;
  readonly name: string;
  readonly live: string;
}

const rows = PAGE.split("\n").flatMap((line): readonly Row[] => {
  const cells = line.split("|").map((cell) => cell.trim());
  const [, path, name] = /^`(test\/[^`]+)`: (.+)$/.exec(cells[4] ?? "") ?? [];
  return path === undefined || name === undefined ? [] : [{ path, name, live: cells[5] ?? "" }];
});

describe("docs/github.md", () => {
  it("names a test in every row", () => {
    const behaviours = PAGE.split("\n").filter(
      (line) => line.startsWith("|") && !/^\| (?:what GitHub does|-)/.test(line),
    );
    expect(rows).toHaveLength(behaviours.length);
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)("names a test that is there: $path: $name", ({ path, name }) => {
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8").replaceAll(/\s+/g, " ")).toContain(name);
  });

  it("says of every row whether it was seen live", () => {
    for (const { live } of rows) expect(live).toMatch(/^(?:not yet|\d{4}-\d\d-\d\d)$/);
  });
});
