import { describe, expect, it } from "vitest";
import { wordBadScore } from "../../../src/runner/explore/word-bad-score.ts";

describe("wordBadScore", () => {
  it.each([
    [{ kind: "exited", code: 0 }, "fast\n", 'its last line was "fast"'],
    [{ kind: "exited", code: 0 }, "\n", "it printed nothing"],
    [{ kind: "exited", code: 3 }, "42\n", 'it ended with exit code 3, and its last line was "42"'],
    [{ kind: "timed-out" }, "", "it took too long, and it printed nothing"],
  ] as const)("says of %j after %j: %s", (end, tail, words) => {
    expect(wordBadScore({ end, tail })).toBe(words);
  });
});
