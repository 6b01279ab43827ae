import { describe, expect, it } from "vitest";
import { lineDifferences } from "../../src/shared/line-differences.ts";
import fc from "../support/fast-check.ts";

describe("lineDifferences", () => {
  it.each([
    ["nothing", ["a\nb", "a\nb"], []],
    ["a new line in the middle", ["a\nc", "a\nb\nc"], ["+ b"]],
    ["a line that went", ["a\nb\nc", "a\nc"], ["- b"]],
    ["lines far apart", ["a\nb\nc\nd", "A\nb\nc\nD"], ["- a", "+ A", "- d", "+ D"]],
    ["another order", ["a\nb", "b\na"], ["- a", "+ a"]],
    ["everything", ["", "x\ny"], ["- ", "+ x", "+ y"]],
  ])("tells %s", (_, [before = "", after = ""], expected) => {
    expect(lineDifferences(before, after)).toEqual(expected);
  });

  it("leaves out nothing: what stayed and what came make the new text, in order", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "c c"), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (old, now) => {
        const lines = lineDifferences(old.join("\n"), now.join("\n"));
        const count = (all: readonly string[], line: string) =>
          all.filter((one) => one === line).length;
        for (const line of new Set([...old, ...now].length === 0 ? [""] : [...old, ...now])) {
          const before = old.length === 0 && line === "" ? 1 : count(old, line);
          const after = now.length === 0 && line === "" ? 1 : count(now, line);
          const change = count(lines, `+ ${line}`) - count(lines, `- ${line}`);
          expect(before + change).toBe(after);
        }
        if (lines.length === 0) expect(now.join("\n")).toBe(old.join("\n"));
      }),
      { numRuns: 300, seed: 12 },
    );
  });

  it("takes no longer for texts that have nothing in common", () => {
    const lines = (name: string) => Array.from({ length: 30_000 }, (_, at) => `${name}${at}`);
    const [before, after] = [lines("a").join("\n"), lines("b").join("\n")];
    expect(lineDifferences(before, after)).toHaveLength(60_000);
  });
});
