import { describe, expect, it } from "vitest";
import { parseAddress } from "../../../src/domain/network/address.ts";
import {
  decideAddress,
  decideTarget,
  readTarget,
} from "../../../src/domain/network/decide-passage.ts";
import { parseHostRule } from "../../../src/domain/network/network.ts";
import type { HostRule } from "../../../src/domain/network/network.ts";
import fc from "../../support/fast-check.ts";

function rulesOf(...texts: readonly string[]): readonly HostRule[] {
  return texts.map((text) => {
    const rule = parseHostRule(text);
    if (!rule.ok) throw new Error(`${text}: ${rule.error}`);
    return rule.value;
  });
}

/** Whether a request passes by its name, before anything is looked up. */
function asks(text: string, ...hosts: readonly string[]): string {
  const target = readTarget(text);
  return target === undefined
    ? "malformed"
    : decideTarget(target, { rules: rulesOf(...hosts) }).kind;
}

/** Whether a name that is allowed passes when it leads to this address. */
function leadsTo(
  address: string,
  hosts: readonly string[] = [],
  own: readonly string[] = [],
): string {
  const target = readTarget("good.example:443")!;
  return decideAddress(address, target, { rules: rulesOf("good.example", ...hosts), own }).kind;
}

describe("what may be asked for", () => {
  it.each([
    ["good.example:443", "good.example", "pass"],
    ["good.example:80", "good.example", "pass"],
    ["GOOD.Example:443", "good.example", "pass"],
    ["good.example.:443", "good.example", "pass"],
    ["good.example:443", "Good.Example.", "pass"],
    ["good.example:8443", "good.example", "refused"],
    ["good.example:22", "good.example", "refused"],
    ["good.example:8443", "good.example:8443", "pass"],
    ["good.example:443", "good.example:8443", "refused"],
    ["evil.example:443", "good.example", "refused"],
    ["notgood.example:443", "good.example", "refused"],
    ["good.example.evil.example:443", "good.example", "refused"],
    ["a.good.example:443", "good.example", "refused"],
    ["a.good.example:443", "*.good.example", "pass"],
    ["b.a.good.example:443", "*.good.example", "pass"],
    ["good.example:443", "*.good.example", "refused"],
    ["evilgood.example:443", "*.good.example", "refused"],
    ["xn--bcher-kva.example:443", "xn--bcher-kva.example", "pass"],
    ["bücher.example:443", "xn--bcher-kva.example", "malformed"],
    ["good。example:443", "good.example", "malformed"],
    ["good.example:443@evil.example:443", "good.example", "malformed"],
    ["user@good.example:443", "good.example", "malformed"],
    ["good.example%00.evil.example:443", "good.example", "malformed"],
    ["good.example%2eevil.example:443", "good.example", "malformed"],
    ["good.example:443:80", "good.example", "malformed"],
    ["good.example..:443", "good.example", "malformed"],
    ["good..example:443", "good.example", "malformed"],
    ["good.example", "good.example", "malformed"],
    ["good.example:", "good.example", "malformed"],
    ["good.example:0", "good.example", "malformed"],
    ["good.example:65979", "good.example", "malformed"],
    ["good.example:0443", "good.example", "malformed"],
    ["good.example:+443", "good.example", "malformed"],
    ["good.example/:443", "good.example", "malformed"],
    ["good.example :443", "good.example", "malformed"],
    ["good.example\t:443", "good.example", "malformed"],
    [":443", "good.example", "malformed"],
    ["", "good.example", "malformed"],
    [`${"a".repeat(64)}.example:443`, "*.example", "malformed"],
    ["10.1.2.3:443", "good.example", "refused"],
    ["10.1.2.3:443", "10.1.2.3", "pass"],
    ["10.1.2.3:443", "10.0.0.0/8", "pass"],
    ["10.1.2.3:22", "10.0.0.0/8", "refused"],
    ["11.1.2.3:443", "10.0.0.0/8", "refused"],
    ["[::ffff:10.1.2.3]:443", "10.1.2.3", "pass"],
    ["[::1]:3000", "[::1]:3000", "pass"],
    ["[0:0:0:0:0:0:0:1]:3000", "[::1]:3000", "pass"],
    ["[::1]:3001", "[::1]:3000", "refused"],
    ["::1:443", "[::1]", "malformed"],
    ["[::1%lo]:443", "[::1]", "malformed"],
    ["[good.example]:443", "good.example", "malformed"],
    // What some programs read as 127.0.0.1.
    ["127.1:443", "*.example", "malformed"],
    ["2130706433:443", "*.example", "malformed"],
    ["0x7f000001:443", "*.example", "malformed"],
    ["0177.0.0.1:443", "*.example", "malformed"],
    ["127.0.0.1.:443", "127.0.0.1", "malformed"],
  ])("%s with %s is %s", (text, host, expected) => {
    expect(asks(text, host)).toBe(expected);
  });

  it("is nothing where nothing is named", () => {
    expect(asks("good.example:443")).toBe("refused");
  });

  it("never is a host that no entry names, however it is written", () => {
    const odd = fc.string({
      unit: fc.constantFrom(..."good.exampleviAZ09-_@%:/[]#?&\\\t\0。".split("")),
      maxLength: 40,
    });
    fc.assert(
      fc.property(odd, (text) => {
        const target = readTarget(text);
        if (target === undefined) return;
        const passes = decideTarget(target, { rules: rulesOf("good.example") }).kind === "pass";
        expect(passes).toBe(/^good\.example\.?:(?:443|80)$/i.test(text));
      }),
      { numRuns: 20_000, seed: 12 },
    );
  });
});

describe("where a name may lead", () => {
  it.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.170.2",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "::",
    "::1",
    "::127.0.0.1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "fec0::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "2001::1",
    "2001:db8::1",
    "fe80::1%eth0",
    "127.1",
    "localhost",
    "",
  ])("not to %s", (address) => {
    expect(leadsTo(address)).toBe("refused");
  });

  it.each([
    "93.184.215.14",
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::1.1.1.1",
    "2002:101:101::",
  ])("to %s", (address) => {
    expect(leadsTo(address)).toBe("pass");
  });

  it("to an address that is named as well, at that port", () => {
    expect(leadsTo("10.1.2.3", ["10.1.2.3"])).toBe("pass");
    expect(leadsTo("10.1.2.3", ["10.0.0.0/8"])).toBe("pass");
    expect(leadsTo("::ffff:10.1.2.3", ["10.1.2.3"])).toBe("pass");
    expect(leadsTo("fd12::1", ["[fd12::/16]:443"])).toBe("pass");
    expect(leadsTo("10.1.2.3", ["10.1.2.3:8443"])).toBe("refused");
    expect(leadsTo("10.1.2.4", ["10.1.2.3"])).toBe("refused");
  });

  it("not to this host by one of its public addresses", () => {
    const own = ["127.0.0.1", "93.184.215.14", "2606:4700::1"];
    expect(leadsTo("93.184.215.14", [], own)).toBe("refused");
    expect(leadsTo("::ffff:93.184.215.14", [], own)).toBe("refused");
    expect(leadsTo("2606:4700:0::1", [], own)).toBe("refused");
    expect(leadsTo("93.184.215.15", [], own)).toBe("pass");
  });

  it("never into a private network, in whatever way its address is written", () => {
    const last = fc.integer({ min: 0, max: 255 });
    const wraps = fc.constantFrom("", "::ffff:", "64:ff9b::");
    const heads = fc.constantFrom("10.0", "127.0", "192.168", "169.254", "172.20");
    fc.assert(
      fc.property(wraps, heads, fc.tuple(last, last), (wrap, head, tail) => {
        const address = `${wrap}${head}.${tail.join(".")}`;
        expect(parseAddress(address)).toBeDefined();
        expect(leadsTo(address)).toBe("refused");
      }),
      { numRuns: 2000, seed: 12 },
    );
  });
});

describe("parseHostRule", () => {
  it.each([
    "*",
    "*.",
    "*example.com",
    "a.*.com",
    "https://a.com",
    "a.com/x",
    "a b",
    "10.0.0.0/33",
    "a.com:0",
    "a.com:70000",
    "user@a.com",
    "[::1",
    "bücher.example",
    "127.1",
    "a.com,b.com",
    "",
  ])("refuses %s with an example", (text) => {
    expect(parseHostRule(text)).toMatchObject({
      ok: false,
      error: expect.stringContaining("*.example.com") as string,
    });
  });
});
