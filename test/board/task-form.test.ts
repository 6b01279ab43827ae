import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { anIssue, DEFAULTS } from "./issues.ts";

const form = z
  .object({
    body: z.array(
      z.object({
        type: z.enum(["textarea", "input", "markdown"]),
        id: z.string().optional(),
        attributes: z.object({ label: z.string().optional(), render: z.string().optional() }),
      }),
    ),
  })
  .parse(parse(readFileSync(".github/ISSUE_TEMPLATE/task.yml", "utf8")));

/** The issue's text as GitHub writes it from the answers to a form. */
function submitted(answers: Readonly<Record<string, string>>): string {
  return form.body
    .filter(({ type }) => type !== "markdown")
    .map(({ id = "", attributes: { label = "", render } }) => {
      const answer = answers[id] ?? "";
      if (render !== undefined) return `### ${label}\n\n\`\`\`${render}\n${answer}\n\`\`\``;
      return `### ${label}\n\n${answer === "" ? "_No response_" : answer}`;
    })
    .join("\n\n");
}

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
