import { describe, expect, it } from "vitest";
import { parsePush } from "../../../../src/adapters/git/remote/push.ts";

describe("parsePush", () => {
  it.each([
    ["a new branch", "*\tHEAD:refs/heads/b\t[new branch]", { kind: "pushed" }],
    ["a fast-forward", " \ta:refs/heads/b\t1..2", { kind: "pushed" }],
    ["a replacement", "+\ta:refs/heads/b\t1...2 (forced update)", { kind: "pushed" }],
    ["nothing to do", "=\ta:refs/heads/b\t[up to date]", { kind: "pushed" }],
    ["a deletion", "-\t:refs/heads/b\t[deleted]", { kind: "pushed" }],
    [
      "a refusal",
      "!\ta:refs/heads/b\t[rejected] (stale info)",
      { kind: "rejected", reason: "[rejected] (stale info)" },
    ],
    ["a push that broke off", "!\ta:refs/heads/b\t[remote rejected] (unpacker error)", undefined],
    ["silence", "", undefined],
  ])("understands %s", (_name, line, outcome) => {
    expect(parsePush(`To file:///remote.git\n${line}\nDone\n`)).toEqual(outcome);
  });
});
