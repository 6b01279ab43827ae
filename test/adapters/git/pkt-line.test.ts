import { describe, expect, it } from "vitest";
import { FLUSH, packet, readPackets } from "../../../src/adapters/git/pkt-line.ts";

const read = (text: string): readonly string[] | undefined => readPackets(Buffer.from(text));

describe("readPackets", () => {
  it("gives back what packet wrote, counted in bytes", () => {
    expect(packet("a\n")).toBe("0006a\n");
    expect(read(`${packet("ä b\n")}${packet("c")}${FLUSH}`)).toEqual(["ä b", "c"]);
  });

  it("knows an empty message", () => {
    expect(read(FLUSH)).toEqual([]);
  });

  it.each(["", "0006a\n", "000", "0006a", "<html>", "0003", `0009a\n${FLUSH}`])(
    "takes %j for no message: what is missing might say the opposite",
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});
