import { describe, expect, it } from "vitest";
import type { GivenCommand } from "../../../src/domain/given-command.ts";
import { answerView, renderAnswer } from "../../../src/report/render/render-answer.ts";
import { NOW, REPO } from "../../support/builders.ts";
import { activeParts } from "../active-markdown.ts";

function given(members: Partial<GivenCommand>): GivenCommand {
  return {
    id: "comment:1",
    repo: REPO,
    issue: 1,
    givenBy: "ann",
    said: "explain",
    detail: "",
    result: "done",
    answer: { lines: ["waits for #7"] },
    effects: [],
    comment: "1",
    at: NOW,
    doneAt: NOW,
    ...members,
  };
}

describe("renderAnswer", () => {
  it("says to whom and to what, and mentions nobody", () => {
    expect(renderAnswer(answerView([given({})]))).toBe(
      "---\n\n**Answer to `/explain` by @\u200Bann**\n\n- waits for #7",
    );
  });

  it("keeps only the newest answer, and what strangers were told", () => {
    const stranger = given({
      result: "untrusted",
      answer: { lines: ["not you"] },
      givenBy: "eve",
    });
    const newer = given({ said: "retry", answer: { lines: ["again"] } });
    const text = renderAnswer(answerView([given({}), stranger, newer]));
    expect(text).toContain("again");
    expect(text).toContain("not you");
    expect(text).not.toContain("waits for");
  });

  it("says nothing where nothing was said, or where the command line was answered", () => {
    expect(renderAnswer(answerView([]))).toBe("");
    expect(answerView([given({ id: "operator:1" })])).toBeUndefined();
  });

  it.each(["@everyone <img src=x onerror=1>", "[x](//e)", "https://evil.example", "<!--"])(
    "does nothing with %j",
    (words) => {
      const answer = { lines: [words] };
      const text = renderAnswer(answerView([given({ answer, givenBy: words })]));
      // The heading is bold, which is ours.
      expect(activeParts(text).filter((part) => !part.startsWith("*"))).toEqual([]);
    },
  );
});
