import { describe, expect, it } from "vitest";
import { parsePointer } from "../../../../src/adapters/git/lfs/pointer.ts";

const OID = "4be03b812f1f04284e6e69ea2426be3e933fc2c6b771ccabf57aff9670c8b2ac";
const HEAD = "version https://git-lfs.github.com/spec/v1\n";
const REST = `oid sha256:${OID}\nsize 10\n`;

describe("parsePointer", () => {
  it.each([
    ["as git-lfs writes it", `${HEAD}${REST}`],
    ["without the last line end", `${HEAD}${REST}`.trimEnd()],
    ["of an earlier version", `version https://hawser.github.com/spec/v1\n${REST}`],
    ["with extensions", `${HEAD}ext-0-foo sha256:${OID}\next-1-bar sha256:${OID}\n${REST}`],
  ])("reads a pointer %s", (_, text) => {
    expect(parsePointer(text)).toEqual({ oid: OID, size: 10 });
  });

  it.each([
    ["nothing", ""],
    ["content", "a picture\n"],
    ["a pointer with more after it", `${HEAD}${REST}more\n`],
    ["a pointer with something before it", `x\n${HEAD}${REST}`],
    ["a pointer without a size", `${HEAD}oid sha256:${OID}\n`],
    ["another digest", `${HEAD}oid md5:${OID}\nsize 10\n`],
  ])("takes %s for no pointer", (_, text) => {
    expect(parsePointer(text)).toBeUndefined();
  });
});
