import { BlockList, isIP } from "node:net";
import { describe, expect, it } from "vitest";
import {
  isWithin,
  parseAddress,
  parseRange,
  unwrapped,
} from "../../../src/domain/network/address.ts";
import fc from "../../support/fast-check.ts";

const RUNS = { numRuns: 2000, seed: 12 };
/** Addresses, and what is nearly one. */
const hardly = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.stringMatching(/^[0-9a-f:.x]{1,24}$/),
  fc.tuple(fc.ipV6(), fc.ipV4()).map(([six, four]) => `${six.replace(/[^:]*$/, "")}${four}`),
);

describe("parseAddress", () => {
  it("takes for an address what Node takes for one, but for zones, and nothing else", () => {
    fc.assert(
      fc.property(hardly, (text) => {
        expect({ text, family: parseAddress(text)?.bits }).toEqual({
          text,
          family: { 0: undefined, 4: 32, 6: 128 }[isIP(text)],
        });
      }),
      RUNS,
    );
  });

  it.each([
    "127.1",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "1.2.3.4.",
    "fe80::1%eth0",
    "::1::",
    "1:2:3:4:5:6:7:8:9",
    "",
  ])("does not guess what %s means", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("isWithin", () => {
  it("agrees with Node about what is in a range", () => {
    const cases = fc.oneof(
      fc.record({ range: fc.ipV4(), prefix: fc.integer({ min: 1, max: 32 }), address: fc.ipV4() }),
      fc.record({ range: fc.ipV6(), prefix: fc.integer({ min: 1, max: 128 }), address: fc.ipV6() }),
    );
    fc.assert(
      fc.property(cases, fc.boolean(), ({ range, prefix, address }, same) => {
        const asked = same ? range : address;
        const family = isIP(range) === 4 ? "ipv4" : "ipv6";
        const list = new BlockList();
        list.addSubnet(range, prefix, family);
        expect(isWithin(parseAddress(asked)!, parseRange(`${range}/${prefix}`)!)).toBe(
          list.check(asked, family),
        );
      }),
      RUNS,
    );
  });
});

describe("unwrapped", () => {
  it.each([
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::ffff:a9fe:a9fe", "169.254.169.254"],
    ["64:ff9b::10.0.0.1", "10.0.0.1"],
    ["2002:7f00:1::", "127.0.0.1"],
    ["2606:4700::1111", "2606:4700::1111"],
  ])("finds in %s the address %s", (text, inner) => {
    expect(unwrapped(parseAddress(text)!)).toEqual(parseAddress(inner));
  });
});
