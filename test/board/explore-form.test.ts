import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { aConfig } from "../support/a-config.ts";
import { issueForm } from "./issue-form.ts";
import { anIssue } from "./issues.ts";

const form = issueForm("explore");
const CONFIG = aConfig({ scores: { speed: { run: "make bench" } } });

const read = (answers: Readonly<Record<string, string>>) =>
  taskSpecFromIssue(anIssue({ body: form.submitted(answers), labels: [...form.labels] }), CONFIG);

describe("the form of an exploration", () => {
  it("gives what its own example says", () => {
    const spec = read({
      what: "Sort faster.",
      explore: form.placeholder("explore"),
      files: form.placeholder("files"),
    });
    const [first, second] = [
      "Sort long runs by their first byte before merging",
      "Keep short runs on the stack",
    ];
    expect(spec).toMatchObject({
      claims: [
        { mode: "write", pattern: "src/sort/" },
        { mode: "read", pattern: "src/memory.h" },
      ],
      explore: {
        ideas: {
          kind: "list",
          ideas: [
            { name: first, text: first },
            { name: second, text: second },
          ],
        },
        depth: 2,
        beam: 3,
        score: "speed",
      },
      invalid: undefined,
    });
  });

  it("may be left without files", () => {
    expect(read({ what: "x", explore: "ask: 3\nscore: speed" })).toMatchObject({
      claims: [],
      explore: { ideas: { kind: "ask", count: 3 }, score: "speed" },
      invalid: undefined,
    });
  });

  it("says what is missing when its section was left empty", () => {
    expect(read({ what: "x" }).invalid?.reason).toMatch(/^no ideas are named: write "ideas:"/);
  });
});
