import { describe, expect, it } from "vitest";
import { repoConfigSchema } from "../../../src/config/schema/repo-config.ts";
import { repoName } from "../../../src/domain/ids.ts";
import { readProposal } from "../../../src/objectives/proposal/read-proposal.ts";

const config = repoConfigSchema.parse({ objectives: { maxTasks: 3 } });
const read = (proposal: unknown) =>
  readProposal(typeof proposal === "string" ? proposal : JSON.stringify(proposal), {
    repo: repoName("acme/shop"),
    issue: 12,
    config,
  });
const problems = (proposal: unknown): readonly string[] => {
  const result = read(proposal);
  return result.ok ? [] : result.error;
};

const adr = { title: "One cart", context: "c", decision: "d", consequences: "e" };
const task = (id: string, more: object = {}) => ({
  id,
  title: `Do ${id}`,
  body: "Words.",
  files: [`src/${id}/**`],
  ...more,
});

describe("readProposal", () => {
  it("takes a proposal and fills in what was left out", () => {
    const result = read({ adr, tasks: [task("a"), task("b", { dependsOn: ["a"], size: "s" })] });
    expect(
      result.ok && result.value.tasks.map(({ labels, dependsOn }) => [labels, dependsOn]),
    ).toEqual([
      [[], []],
      [[], ["a"]],
    ]);
  });

  it.each<[string, unknown, string]>([
    ["what is not JSON", "tasks: none", "the file is not JSON"],
    ["a list", [], "the whole: expected a group of keys"],
    ["no tasks", { adr, tasks: [] }, "tasks: expected at least 1"],
    ["no decision", { tasks: [task("a")] }, "adr: expected a group of keys"],
    [
      "an id of two words",
      { adr, tasks: [task("A b")] },
      "tasks[0].id: expected small letters, digits and hyphens, 40 at most",
    ],
    [
      "an id twice",
      { adr, tasks: [task("a"), task("a")] },
      'tasks[1].id: "a" is taken by tasks[0]',
    ],
    [
      "the decision's id",
      { adr, tasks: [task("adr")] },
      `tasks[0].id: "adr" is the decision's own`,
    ],
    [
      "more tasks than wanted",
      { adr, tasks: ["a", "b", "c", "d"].map((id) => task(id)) },
      "tasks: 4 are proposed, the limit is 3",
    ],
    [
      "a label that would make it run",
      { adr, tasks: [task("a", { labels: ["ready"] })] },
      'tasks[0].labels[0]: expected one of "parallel-safe", "exclusive", "priority:high", "priority:low"',
    ],
    [
      "files of its own in the text",
      { adr, tasks: [task("a", { body: "Files: src/other/**" })] },
      "tasks[0].body: declares files or dependencies of its own; they belong in the fields of that name",
    ],
    [
      "a task that is not there",
      { adr, tasks: [task("a", { dependsOn: ["z"] })] },
      "tasks[0].dependsOn: depends on z, which does not exist",
    ],
  ])("refuses %s", (_, proposal, problem) => {
    expect(problems(proposal)).toEqual([problem]);
  });

  it("takes a dependency in the text for words, which it is once they do nothing", () => {
    expect(read({ adr, tasks: [task("a", { body: "Depends on acme/other#3" })] }).ok).toBe(true);
  });

  it("names the members of a circle", () => {
    const tasks = [task("a", { dependsOn: ["b"] }), task("b", { dependsOn: ["a"] })];
    expect(problems({ adr, tasks }).join("\n")).toMatch(/^tasks\[0\]\.dependsOn: .*a.*b/);
  });

  it("refuses a path that leads out of the repository, quoting it", () => {
    expect(problems({ adr, tasks: [task("a", { files: ["../x"] })] })[0]).toContain('"../x"');
  });
});
