import { describe, expect, it } from "vitest";
import { parseCommit, renderCommit } from "../../../../src/adapters/git/mirror/mirror-commits.ts";
import { sha } from "../../../../src/domain/ids.ts";

const [TREE, ONE, TWO] = ["1", "2", "3"].map((digit) => sha(digit.repeat(40)));
const commit = {
  tree: TREE ?? sha(""),
  parents: [ONE ?? sha(""), TWO ?? sha("")],
  message: "title\n\ntree 4\nauthor Mallory <m@example.test> 9 +0000",
  identity: { name: "App", email: "app@example.test", at: 20 },
  author: { name: "Ann B. Cat", email: "ann@example.test", at: 10 },
};

describe("renderCommit", () => {
  it("is what parseCommit reads, whatever the message says", () => {
    expect(parseCommit(renderCommit(commit))).toEqual({
      tree: TREE,
      parents: [ONE, TWO],
      author: { name: "Ann B. Cat", email: "ann@example.test" },
      committedAt: 20,
    });
  });

  it("lets no name become a line or another name", () => {
    const author = { name: "Ann\ntree <x>", email: "<ann>\n@example.test", at: 10 };
    expect(renderCommit({ ...commit, author }).split("\n")[3]).toBe(
      "author Anntree x <ann@example.test> 10 +0000",
    );
  });

  it("cuts off what git cuts off, and ends the message with a line end", () => {
    const author = { name: ' "Ann," ', email: "ann@example.test", at: 10 };
    const text = renderCommit({ ...commit, message: "a\0b", author });
    expect(text.split("\n")[3]).toBe("author Ann <ann@example.test> 10 +0000");
    expect(text.endsWith("\n\nab\n")).toBe(true);
  });
});

describe("parseCommit", () => {
  it("knows a commit without parents and with more headers", () => {
    const text = `tree ${TREE}\nauthor A <> 1 +0100\ncommitter B <b> 2 -0330\ngpgsig x\n y\n\nm\n`;
    expect(parseCommit(text)).toEqual({
      tree: TREE,
      parents: [],
      author: { name: "A", email: "" },
      committedAt: 2,
    });
  });

  it("is nothing for what is no commit", () => {
    expect(parseCommit("hello\n")).toBeUndefined();
  });
});
