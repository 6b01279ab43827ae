import { describe, expect, it } from "vitest";
import { aliasMarker, aliasOf } from "../../src/domain/task-alias.ts";

describe("aliasOf", () => {
  it.each(["a", "task-1", "x.y_z", "a".repeat(64)])(
    "finds %s again in the text of an issue",
    (id) => {
      expect(aliasOf(`${aliasMarker(id)}\n\nDo it.`)).toBe(id);
    },
  );

  it("takes the first of two: the app writes it before the task's own words", () => {
    expect(aliasOf(`${aliasMarker("first")}\n${aliasMarker("second")}`)).toBe("first");
  });

  it.each([
    ["a text without one", "Do it."],
    ["an empty id", aliasMarker("")],
    ["an id with a space", aliasMarker("a b")],
    ["an id that is too long", aliasMarker("a".repeat(65))],
    ["an id that would leave its place", aliasMarker("../x")],
  ])("finds none in %s", (_, body) => {
    expect(aliasOf(body)).toBeUndefined();
  });
});
