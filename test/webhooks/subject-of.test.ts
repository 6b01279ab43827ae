import { describe, expect, it } from "vitest";
import { subjectOf } from "../../src/webhooks/subject-of.ts";

function comment(body: unknown, action = "created") {
  return subjectOf({
    id: "d",
    name: "issue_comment",
    payload: { action, comment: { id: 9, body } },
  });
}

describe("subjectOf", () => {
  it("points at a comment that looks like a command", () => {
    expect(comment("/retry")).toEqual({ kind: "comment", comment: "9" });
  });

  it.each(["hello", "> /retry", "", undefined, 7])("lets %j pass by", (body) => {
    expect(comment(body)).toBeUndefined();
  });

  it("takes no command from a comment that was edited or deleted", () => {
    expect(comment("/retry", "edited")).toBeUndefined();
    expect(comment("/retry", "deleted")).toBeUndefined();
  });

  it("knows the button that was pressed and the commit that it is on", () => {
    const payload = {
      ...{ action: "requested_action", check_run: { head_sha: "abc" } },
      requested_action: { identifier: "retry" },
    };
    const subject = { kind: "button", head: "abc", button: "retry" };
    expect(subjectOf({ id: "d", name: "check_run", payload })).toEqual(subject);
    expect(
      subjectOf({ id: "d", name: "check_run", payload: { action: "completed" } }),
    ).toBeUndefined();
    const broken = { action: "requested_action" };
    expect(subjectOf({ id: "d", name: "check_run", payload: broken })).toBeUndefined();
  });
});
