import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/cli/text/table.ts";

describe("renderTable", () => {
  it("aligns columns and ends lines without spaces", () => {
    const columns = [{ title: "n", align: "right" }, { title: "word" }, { title: "why" }] as const;
    const rows = [
      ["1", "one", "because"],
      ["10", "ten", ""],
    ];
    expect(renderTable(columns, rows, 80)).toBe(
      [" n  word  why", " 1  one   because", "10  ten"].join("\n"),
    );
  });

  it("cuts what does not fit", () => {
    const table = renderTable(
      [{ title: "a" }, { title: "b" }],
      [["x".repeat(50), "y".repeat(50)]],
      30,
    );
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(30);
    expect(table).toContain("…");
  });

  it("counts wide characters as two columns", () => {
    const table = renderTable(
      [{ title: "a" }, { title: "b" }],
      [
        ["漢字", "x"],
        ["abcd", "y"],
      ],
      40,
    );
    expect(table.split("\n").slice(1)).toEqual(["漢字  x", "abcd  y"]);
  });

  it("prints no control characters of others", () => {
    const table = renderTable([{ title: "a" }], [["\u001b[31mred\u0007\u202eabc\nx"]], 40);
    // eslint-disable-next-line no-control-regex -- that is the point
    expect(table.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(table.split("\n")).toHaveLength(2);
  });
});
