import { describe, expect, it } from "vitest";
import { cleanText } from "../../src/shared/clean-text.ts";
import { quote } from "../../src/shared/quote.ts";

/** What Unicode lists as shown by nothing (Default_Ignorable_Code_Point), without what chooses the looks of an emoji. */
const RANGES = [
  "ad-ad 34f-34f 61c-61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f",
  "3164-3164 feff-feff ffa0-ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff",
].flatMap((line) => line.split(" "));

const UNSEEN = RANGES.flatMap((range) => {
  const [first = 0, last = 0] = range.split("-").map((bound) => Number.parseInt(bound, 16));
  return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));
});

describe("characters that nobody sees", () => {
  it("are taken out of text", () => {
    expect(UNSEEN.filter((one) => cleanText(`a${one}b`) !== "ab")).toEqual([]);
  });

  it("are spelled out in quotation marks", () => {
    expect(UNSEEN.filter((one) => quote(one).includes(one))).toEqual([]);
    expect(quote("\uFE0E\uFE0F")).toBe(String.raw`"\u{fe0e}\u{fe0f}"`);
    expect(quote("\u0085")).toBe(String.raw`"\u{85}"`);
  });

  it("are not what makes an emoji colourful", () => {
    expect(cleanText("❤\uFE0F")).toBe("❤\uFE0F");
  });
});
