import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { issueForm } from "./issue-form.ts";
import { anIssue, DEFAULTS } from "./issues.ts";

const { submitted } = issueForm("task");

const read = (answers: Readonly<Record<string, string>>) =>
  taskSpecFromIssue(anIssue({ body: submitted(answers) }), DEFAULTS);

describe("the task form", () => {
  it("gives files and dependencies as they were typed", () => {
    const spec = read({
      what: "Keep sessions.\n\nFiles are fine.",
      files: "src/auth/\n**/*.css\nread: src/db.ts\n!src/auth/old ones/",
      "depends-on": "#12, owner/name#3",
    });
    expect(spec).toMatchObject({
      claims: [
        { mode: "write", pattern: "src/auth/" },
        { mode: "write", pattern: "**/*.css" },
        { mode: "read", pattern: "src/db.ts" },
        { mode: "except", pattern: "src/auth/old ones/" },
      ],
      dependsOn: ["acme/shop#12", "owner/name#3"],
      invalid: undefined,
    });
  });

  it("may be left empty but for what is to be done", () => {
    expect(read({ what: "Keep sessions." })).toMatchObject({
      claims: [],
      dependsOn: [],
      invalid: undefined,
    });
  });

  it("reads as well when GitHub answers for an empty field of code", () => {
    const body = submitted({ what: "x" }).replace("```text\n\n```", "_No response_");
    expect(taskSpecFromIssue(anIssue({ body }), DEFAULTS).invalid).toBeUndefined();
  });
});
