import { describe, expect, it } from "vitest";
import { pathsApart } from "../../../src/train/decide/next-batch.ts";

describe("two changes", () => {
  it.each([
    { a: ["src/a.ts"], b: ["src/b.ts"], apart: true },
    { a: ["src/a.ts", "src/c.ts"], b: ["src/b.ts", "src/c.ts"], apart: false },
    { a: ["README.md"], b: ["src/a.ts"], apart: true },
    { a: ["src/a"], b: ["src/a/b/c.ts"], apart: false },
    { a: ["src/a"], b: ["src/ab.ts"], apart: true },
    { a: ["src/old/x.ts", "src/new/x.ts"], b: ["src/old/added.ts"], apart: true },
    { a: [], b: ["src/a.ts"], apart: true },
  ])("of $a and of $b are apart: $apart", ({ a, b, apart }) => {
    expect(pathsApart(a, b)).toBe(apart);
    expect(pathsApart(b, a)).toBe(apart);
  });
});
