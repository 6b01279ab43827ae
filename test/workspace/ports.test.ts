import { describe, expect, it } from "vitest";
import { PortRanges } from "../../src/workspace/ports.ts";

describe("PortRanges", () => {
  it("gives no port to two workspaces at the same time", () => {
    const ranges = new PortRanges({ first: 20_000, last: 20_199 });
    const bases = Array.from({ length: 10 }, (_, index) => ranges.take(`run-${index}`));
    expect([...bases].sort()).toEqual(Array.from({ length: 10 }, (_, i) => 20_000 + 20 * i));
    expect(ranges.take("one too many")).toBeUndefined();
    ranges.release("run-3");
    expect(ranges.take("the next")).toBe(bases[3]);
  });

  it("gives a workspace the same range again, also after a restart", () => {
    const ports = { first: 20_000, last: 29_999 };
    const base = new PortRanges(ports).take("acme.shop.1.1");
    const ranges = new PortRanges(ports);
    expect(ranges.take("acme.shop.1.1")).toBe(base);
    expect(ranges.take("acme.shop.1.1")).toBe(base);
  });
});
