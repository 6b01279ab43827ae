import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../../src/board/issue/task-from-issue.ts";
import { parseTaskFile } from "../../../src/cli/input/task-file.ts";
import type { DeclaredTask } from "../../../src/cli/input/task-file.ts";
import { issueBody, issueLabels, issueNumbers } from "../../../src/cli/try/stage.ts";
import { aConfig } from "../../support/a-config.ts";
import { anIssue } from "../../support/builders.ts";

function declared(task: Record<string, unknown>): DeclaredTask {
  const parsed = parseTaskFile(JSON.stringify([{ id: "a", title: "T", ...task }]), "tasks");
  if (!parsed.ok) throw new Error(parsed.error.join("\n"));
  return parsed.value[0]!;
}

/** What the app reads out of the issue that the task becomes. */
function readBack(task: DeclaredTask, numbers: ReadonlyMap<string, number> = new Map()) {
  const issue = anIssue({ body: issueBody(task, numbers), labels: [...issueLabels(task)] });
  return taskSpecFromIssue(issue, aConfig());
}

describe("issueBody", () => {
  it("says files, reads and dependencies so that the app reads the same", () => {
    const task = declared({
      files: ["src/a.ts", "!src/b/"],
      reads: ["src/c.ts"],
      dependsOn: ["x"],
    });
    expect(readBack(task, new Map([["x", 7]]))).toMatchObject({
      claims: [
        { mode: "write", pattern: "src/a.ts" },
        { mode: "except", pattern: "src/b/" },
        { mode: "read", pattern: "src/c.ts" },
      ],
      dependsOn: ["octo/app#7"],
      parallelSafe: true,
    });
  });

  it("leaves a dependency that is not in the file for the planner to report", () => {
    const task = declared({ dependsOn: ["ghost", "b", "spook"] });
    const numbers = issueNumbers([task, { ...task, id: "b", dependsOn: [] }]);
    expect(readBack(task, numbers).dependsOn).toEqual([
      "octo/app#2",
      "octo/app#900001",
      "octo/app#900002",
    ]);
  });

  it.each(["```\nnever closed", "<!-- never closed", "<details>"])(
    "keeps its rules whatever the task's own words are: %s",
    (body) => {
      const task = declared({ files: ["src/a.ts"], dependsOn: ["x"], body });
      expect(readBack(task, new Map([["x", 7]]))).toMatchObject({
        claims: [{ mode: "write", pattern: "src/a.ts" }],
        dependsOn: ["octo/app#7"],
      });
    },
  );
});

describe("issueLabels", () => {
  it.each([
    { task: { files: ["a.ts"] }, labels: ["parallel-safe"] },
    { task: {}, labels: [] },
    { task: { files: ["a.ts"], labels: ["parallel-safe", "x"] }, labels: ["parallel-safe", "x"] },
    { task: { files: ["a.ts"], labels: ["exclusive"] }, labels: ["exclusive"] },
  ])("are $labels for $task", ({ task, labels }) => {
    expect(issueLabels(declared(task))).toEqual(labels);
  });
});
