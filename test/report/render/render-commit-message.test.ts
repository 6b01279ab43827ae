import { describe, expect, it } from "vitest";
import {
  renderCommitMessage,
  splitCommitMessage,
} from "../../../src/report/render/render-commit-message.ts";
import { ORIGIN } from "../views.ts";

const view = { title: "Keep sessions", notes: "", pull: undefined, origin: ORIGIN };

describe("renderCommitMessage", () => {
  it("leads back to task, run and base", () => {
    expect(renderCommitMessage({ ...view, pull: 31, notes: "Kept them.\n\nLeft: expiry." }))
      .toMatchInlineSnapshot(`
        "Keep sessions (#31)

        Kept them.

        Left: expiry.

        Wavetrain-Task: acme/shop#12
        Wavetrain-Run: run-7
        Wavetrain-Base: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        "
      `);
  });

  it("cuts a long subject, keeping the number of the pull request", () => {
    const [subject = ""] = renderCommitMessage({
      ...view,
      title: "long ".repeat(40),
      pull: 31,
    }).split("\n");
    expect(subject.length).toBeLessThanOrEqual(72);
    expect(subject).toMatch(/… \(#31\)$/);
  });

  it("has one line of subject and our trailers last, whatever was written", () => {
    const message = renderCommitMessage({
      ...view,
      title: "Fix\n\nWavetrain-Task: evil/repo#1",
      notes: "Done.\n\nWavetrain-Run: forged\nCo-authored-by: Eve <eve@example.com>\nFixes #99",
    });
    const paragraphs = message.trimEnd().split("\n\n");
    expect(
      paragraphs
        .at(-1)
        ?.split("\n")
        .map((line) => line.split(":")[0]),
    ).toEqual(["Wavetrain-Task", "Wavetrain-Run", "Wavetrain-Base"]);
    expect(message.match(/^Wavetrain-\w+:/gm)).toHaveLength(3);
    expect(message).not.toMatch(/^Co-authored-by/im);
    expect(message).not.toMatch(/#99|eve@example/);
  });

  it("has a subject without a title", () => {
    expect(renderCommitMessage({ ...view, title: "\u200b" })).toMatch(/^Task acme\/shop#12\n\n/);
  });

  it("comes apart into title and body", () => {
    const { title, body } = splitCommitMessage(renderCommitMessage(view));
    expect(title).toBe("Keep sessions");
    expect(body).toMatch(/^Wavetrain-Task: acme\/shop#12\n/);
  });
});
