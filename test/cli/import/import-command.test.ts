import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommanderError } from "commander";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Issue } from "../../../local-github/model/issue.ts";
import { importCommand } from "../../../src/cli/import/import-command.ts";
import { planFileJsonSchema } from "../../../src/cli/input/read-plan-file.ts";
import { createTown } from "../../local-github/town.ts";
import type { Town } from "../../local-github/town.ts";

const PLAN = {
  feature: "Search",
  phases: [
    {
      phase: 1,
      name: "Index",
      parallel_safe: true,
      subtasks: [
        { id: "1-1", description: "Make the index\n\nWith @all words.", files: ["src/index/**"] },
        { id: "1-2", description: "Old", status: "completed" },
      ],
    },
    {
      phase: 2,
      name: "Page",
      depends_on: [1],
      subtasks: [
        { id: "2-1", title: "Form", files_to_create: ["src/form.ts"], depends_on: ["1-2"] },
        { id: "2-2", title: "List", files_to_modify: ["src/list.ts"], depends_on: ["2-1"] },
      ],
    },
  ],
};

async function run(plan: unknown, ...args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "plan.json");
  await writeFile(file, typeof plan === "string" ? plan : JSON.stringify(plan));
  let [out, err] = ["", ""];
  const command = importCommand()
    .exitOverride()
    .configureOutput({ writeOut: (text) => (out += text), writeErr: (text) => (err += text) });
  try {
    await command.parseAsync([file, ...args], { from: "user" });
    return { code: 0, out, err: err.replaceAll(file, "plan.json") };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode, out, err: err.replaceAll(file, "plan.json") };
  }
}

async function importInto(town: Town, plan: unknown, ...args: readonly string[]) {
  vi.stubEnv("MY_TOKEN", await town.token());
  const where = ["--repo", "acme/app", "--api-url", town.github.url, "--token-env", "MY_TOKEN"];
  return run(plan, ...where, ...args);
}

const issuesOf = (town: Town): readonly Issue[] =>
  [...town.github.world.threads.values()].filter((thread) => thread.kind === "issue");

describe("wavetrain import", () => {
  it("opens phases, subtasks and what is between them, once however often it is run", async () => {
    const town = await createTown();
    const dry = await importInto(town, PLAN, "--dry-run");
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toContain("  would open  Make the index");
    expect(dry.out).toContain("5 would be opened, 0 found");
    expect(issuesOf(town)).toEqual([]);

    expect(await importInto(town, PLAN)).toEqual({
      code: 0,
      out: "#1  Index\n#2  Page\n  #3  Make the index\n  #4  Form\n  #5  List\n5 opened, 0 found\n",
      err: "",
    });
    const [index, page, make, form, list] = issuesOf(town) as [Issue, Issue, Issue, Issue, Issue];
    expect(index.labels.map(({ name }) => name)).toEqual(["parallel-safe"]);
    expect(page.blockedBy).toEqual([index]);
    expect(index.subIssues).toEqual([make]);
    expect(page.subIssues).toEqual([form, list]);
    expect(list.blockedBy).toEqual([form]);
    expect(form.blockedBy).toEqual([]);
    expect(make.body).toContain("src/index/**");
    expect(make.body).not.toContain("@all");
    expect(town.board.items.map(({ content }) => content)).toEqual([make, form, list]);

    const again = await importInto(town, PLAN, "--json");
    const issues = [1, 2, 3, 4, 5].map((number) => ({ number, state: "found" }));
    expect(JSON.parse(again.out)).toMatchObject({ repo: "acme/app", dryRun: false, issues });
    expect(issuesOf(town)).toHaveLength(5);
    expect(page.subIssues).toHaveLength(2);
    town.observer.assertNoViolations();
  });

  it.each<[string, unknown, string]>([
    ["no plan", "phases:", "plan.json:1: expected a plan: phases with subtasks"],
    ["a list of tasks", [{ id: "a" }], "plan.json:1: expected a plan: phases with subtasks"],
    ["what is no JSON and no YAML", '{ "phases": [\n{ "name": }}', "plan.json:2: "],
    ["no phases", { phases: [] }, "plan.json:1: phases: expected at least 1"],
    [
      "files that are no list",
      "phases:\n- subtasks:\n  - title: x\n    files: src\n",
      "plan.json:4: phases[0].subtasks[0].files: expected a list",
    ],
    [
      "a subtask without words",
      { phases: [{ subtasks: [{ id: 1 }] }] },
      "plan.json:1: phases[0].subtasks[0]: expected a title or a description",
    ],
  ])("refuses %s with the place of it", async (_, plan, problem) => {
    const { code, err } = await run(plan, "--repo", "acme/app");
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });

  it("refuses what would not work as a whole, and opens nothing", async () => {
    const town = await createTown();
    const bad = {
      phases: [{ name: "A", depends_on: ["Z"], subtasks: [{ title: "x", depends_on: ["y"] }] }],
    };
    expect(await importInto(town, bad)).toEqual({
      code: 2,
      out: "",
      err: 'plan.json:1: phases[0].depends_on[0]: there is no phase "Z"\nplan.json:1: phases[0].subtasks[0].depends_on[0]: there is no subtask "y"\n',
    });
    const outside = { phases: [{ name: "A", subtasks: [{ title: "x", files: ["/etc"] }] }] };
    const { err } = await importInto(town, outside);
    expect(err).toMatch(/^plan\.json:1: phases\[0\]\.subtasks\[0\]: cannot use "\/etc"/);
    expect(issuesOf(town)).toEqual([]);
  });
});

describe("docs/schema/plan.schema.json", () => {
  it("describes the file that is read", async () => {
    const published = JSON.parse(await readFile("docs/schema/plan.schema.json", "utf8")) as unknown;
    expect(published).toEqual(JSON.parse(JSON.stringify(planFileJsonSchema())));
  });
});
