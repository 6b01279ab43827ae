import { describe, expect, it } from "vitest";
import { Trouble } from "../../src/shared/trouble.ts";

describe("Trouble", () => {
  it("is new when it begins and whenever its words change", () => {
    const trouble = new Trouble();
    const seen = ["down", "down", "up and down", "down"].map((words) =>
      trouble.isNew(new Error(words)),
    );
    expect(seen).toEqual([true, false, true, true]);
  });

  it("ends once, and is new when it comes back", () => {
    const trouble = new Trouble();
    expect(trouble.end()).toBe(false);
    trouble.isNew("down");
    expect([trouble.end(), trouble.end()]).toEqual([true, false]);
    expect(trouble.isNew("down")).toBe(true);
  });
});
