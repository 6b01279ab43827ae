import { describe, expect, it } from "vitest";
import { markOwnPart, replaceOwnPart } from "../../src/domain/own-part.ts";

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
