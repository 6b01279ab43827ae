import { describe, expect, it } from "vitest";
import { createPortRanges } from "../../src/workspace/port-ranges.ts";

describe("PortRanges", () => {
  it("gives no port to two workspaces at the same time", () => {
    const ranges = createPortRanges({ first: 20_000, last: 20_199 });
    const bases = Array.from({ length: 10 }, (_, index) => ranges.take(`run-${index}`));
    expect([...bases].sort()).toEqual(Array.from({ length: 10 }, (_, i) => 20_000 + 20 * i));
    expect(ranges.take("one too many")).toBeUndefined();
    ranges.release("run-3");
    expect(ranges.take("the next")).toBe(bases[3]);
  });

  it("gives a workspace the same range again, also after a restart", () => {
    const ports = { first: 20_000, last: 29_999 };
    const base = createPortRanges(ports).take("acme.shop.1.1");
    const ranges = createPortRanges(ports);
    expect(ranges.take("acme.shop.1.1")).toBe(base);
    expect(ranges.take("acme.shop.1.1")).toBe(base);
  });
});
