import { describe, expect, it } from "vitest";
import { digest } from "../../src/shared/digest.ts";

describe("digest", () => {
  it("is the SHA-256 of the canonical JSON", () => {
    expect(digest({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });

  it("does not depend on the order of keys, at any depth", () => {
    expect(digest({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digest({ b: [{ d: 3, c: 2 }], a: 1 }));
  });

  it("tells different values apart", () => {
    const values = [null, 0, "0", [], {}, [1, 2], [2, 1], { a: 1 }, { a: "1" }, { a: [1] }];
    expect(new Set(values.map(digest)).size).toBe(values.length);
  });

  it("treats an absent member as one that is undefined", () => {
    expect(digest({ a: 1, b: undefined })).toBe(digest({ a: 1 }));
  });

  it("refuses what JSON would silently flatten", () => {
    expect(() => digest({ a: new Map([["b", 1]]) })).toThrow("plain JSON");
  });
});
