import { describe, expect, it } from "vitest";
import { findAnnotations } from "../../src/report/find-annotations.ts";

const FILES = ["src/a.ts", "src/b/c.py", "d.js"];
const places = (output: string): readonly string[] =>
  findAnnotations(output, FILES).map(({ path, line }) => `${path}:${line}`);

describe("findAnnotations", () => {
  it.each([
    ["src/a.ts:12:5: error: no such name", "src/a.ts:12"],
    ["./src/a.ts(3,7): error TS2304: Cannot find name 'x'.", "src/a.ts:3"],
    ["    at go (/tmp/workspace/src/a.ts:7:1)", "src/a.ts:7"],
    ['  File "src/b/c.py", line 9, in <module>', "src/b/c.py:9"],
    ["\u001b[31md.js:4\u001b[0m broken", "d.js:4"],
  ])("reads %j", (output, place) => {
    expect(places(output)).toEqual([place]);
  });

  it.each(["src/other.ts:12", "xsrc/a.ts:12", "src/a.ts:0", "src/a.ts: failed", "12:30:05 d.js"])(
    "finds nothing in %j",
    (output) => {
      expect(places(output)).toEqual([]);
    },
  );

  it("says of each line the first thing, without secrets, and not too much", () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const [first] = findAnnotations(`src/a.ts:1: got ${token}\nsrc/a.ts:1: again`, FILES);
    expect(first?.message).toBe("src/a.ts:1: got [hidden]");
    const many = Array.from({ length: 500 }, (_, n) => `d.js:${n + 1}: x`).join("\n");
    expect(findAnnotations(many, FILES)).toHaveLength(20);
  });
});
