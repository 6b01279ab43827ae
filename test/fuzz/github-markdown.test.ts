import { describe, expect, it } from "vitest";
import { closedBy, effectsOf, effectsOfPlain } from "./github-markdown.ts";

describe("effectsOf", () => {
  it.each<[string, readonly string[]]>([
    ["plain words, 3 < 4 & a b", []],
    ["hello @bob", ["mention @bob"]],
    ["hello \\@bob", ["mention @bob"]],
    ["hello `@bob #1`", []],
    ["`` ` @bob", ["mention @bob"]],
    ["#1 and a/b#2, GH-3", ["reference #1", "reference a/b#2", "reference GH-3"]],
    ["see https://e.example www.e.example", ["link https://e.example", "link www.e.example"]],
    ["a@b.co", ["mention @b"]],
    ["<img src=x>", ["html <img src=x>"]],
    ["\\<img src=x>", []],
    ["<!-- a -->", ["html <!-- a -->"]],
    ["[x](//e)", ["mark [", "mark ]"]],
    ["\\[x\\](//e)", []],
    ["&commat;bob", ["entity"]],
    ["a *b*", ["mark *", "mark *"]],
    ["> a", ["quote"]],
    ["- [ ] a", ["item", "task item"]],
    ["a\n# b", ["heading"]],
    ["a\n===", ["heading"]],
    ["a\n---", ["rule"]],
    ["| a | b |", []],
    ["| a | b |\n|---|---|\n| c \\| d | `|` |", ["row of 4"]],
    ["    a", ["indented code"]],
    ["```\n@bob\n```\n@ann", ["code block", "mention @ann"]],
    ["````\n```\n@bob", ["code block", "an open code block"]],
    ["$x$", ["mark $", "mark $"]],
    ["a\u202Eb", ["turned writing \u202E"]],
  ])("finds in %j %j", (text, effects) => {
    expect(effectsOf(text)).toEqual(effects);
  });

  it("reads what has no Markdown and what closes issues", () => {
    expect(effectsOfPlain("*a* `@bob`")).toEqual(["mention @bob"]);
    expect(closedBy("Closes #1. fixed: a/b#2, resolve gh-3, fixes `#4`")).toEqual([
      "#1",
      "a/b#2",
      "gh-3",
    ]);
  });
});
