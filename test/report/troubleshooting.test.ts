import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../src/doctor/decide/finding.ts";
import { HALTS, OBSTACLES, OUTCOMES } from "./cases.ts";

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "What `doctor` says": CHECKS,
  "What keeps a task from starting": Object.keys(OBSTACLES),
  "How a run ends": Object.keys(OUTCOMES),
  "What halts the train": Object.keys(HALTS),
};

const sections = readFileSync("docs/troubleshooting.md", "utf8").split(/^## /m);

/** The rows below a heading, as cells. */
function rowsOf(title: string): readonly (readonly string[])[] {
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("docs/troubleshooting.md", () => {
  it.each(Object.entries(SECTIONS))("has a row for each code: %s", (title, codes) => {
    const rows = rowsOf(title);
    expect(rows.map(([code]) => code?.replaceAll("`", "")).toSorted()).toEqual(codes.toSorted());
    for (const row of rows) expect(row.filter((cell) => cell !== "")).toHaveLength(4);
  });
});
