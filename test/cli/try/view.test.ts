import { describe, expect, it } from "vitest";
import { withNames } from "../../../src/cli/try/view.ts";

describe("withNames", () => {
  const names = {
    repo: "local/shop",
    byNumber: new Map([
      [3, "cart"],
      [900_001, "ghost"],
    ]),
  };

  it.each([
    ["waits for #3: both may write a.ts", "waits for cart: both may write a.ts"],
    ["depends on #900001, which is not there", "depends on ghost, which is not there"],
    ["waits for local/shop#3", "waits for cart"],
    ["#12 waits for a review", "#12 waits for a review"],
    ["other/shop#3, a#3, #3a, &#3; x/#3", "other/shop#3, a#3, #3a, &#3; x/#3"],
    ["(#3)", "(cart)"],
  ])("makes of %s: %s", (text, named) => {
    expect(withNames(text, names)).toBe(named);
  });
});
