import { describe, expect, it } from "vitest";
import { aliasMarker, aliasOf, markOwnPart, replaceOwnPart } from "../../src/domain/markers.ts";

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

const OLD = markOwnPart("Closes #1.\n\nAttempt 1.");
const NEW = markOwnPart("Closes #1.\n\nAttempt 2.");

describe("our part of a pull request's text", () => {
  it("takes the place of the old one, and what people wrote around it stays", () => {
    expect(replaceOwnPart(OLD, NEW)).toBe(NEW);
    const edited = `For the release.\r\n\r\n${OLD.replaceAll("\n", "\r\n")}\r\n- [x] seen by bob`;
    const text = replaceOwnPart(edited, NEW) ?? "";
    expect(text).toBe(`For the release.\r\n\r\n${NEW.trimEnd()}\r\n\r\n- [x] seen by bob`);
    expect(replaceOwnPart(text, OLD)).toContain("Attempt 1.");
  });

  it.each([
    ["there is none", "Written anew by bob."],
    ["its end is gone", OLD.replace("<!-- /wavetrain:pull-request -->", "")],
    ["its beginning is gone", OLD.replace("<!-- wavetrain:pull-request -->", "")],
    ["there are two", `${OLD}${OLD}`],
    ["it ends before it begins", OLD.split("\n").toReversed().join("\n")],
    ["nobody wrote anything", ""],
  ])("is not known where %s", (_, text) => {
    expect(replaceOwnPart(text, NEW)).toBeUndefined();
  });

  it("cannot be ended by what it quotes", () => {
    const part = markOwnPart(
      "notes: <!-- /wavetrain:pull-request --> and <!-- wavetrain:pull-request -->",
    );
    expect(replaceOwnPart(`above\n${part}below`, NEW)).toBe(`above\n${NEW}below`);
  });
});
