import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { parseTaskFile, plannableTasks } from "../../../src/cli/input/task-file.ts";

const parse = (text: string) => parseTaskFile(text, "tasks.yml");

describe("parseTaskFile", () => {
  it("reads a YAML list", () => {
    const text = `
- id: login
  title: New login form
  files: [src/login.ts, "!src/login.css", "read: src/theme.ts"]
  reads: [src/db.ts]
  dependsOn: [schema, 12]
  labels: [priority:high, size:l, runner:codex, frontend]
  minutes: 2.5
- id: 12
`;
    expect(parse(text)).toMatchObject({
      ok: true,
      value: [
        {
          id: "login",
          title: "New login form",
          claims: [
            { mode: "write", pattern: "src/login.ts" },
            { mode: "except", pattern: "src/login.css" },
            { mode: "read", pattern: "src/theme.ts" },
            { mode: "read", pattern: "src/db.ts" },
          ],
          dependsOn: ["schema", "12"],
          labels: ["priority:high", "size:l", "runner:codex", "frontend"],
          priority: "high",
          size: "l",
          runner: "codex",
          minutes: 2.5,
          exclusive: false,
          invalid: undefined,
        },
        { id: "12", files: [], dependsOn: [] },
      ],
    });
  });

  it("reads JSON, tabs and all", () => {
    expect(parse('[\n\t{ "id": "a",\n\t"files": ["x"] }\n]')).toMatchObject({
      ok: true,
      value: [{ id: "a", files: ["x"] }],
    });
  });

  it("follows anchors", () => {
    const parsed = parse("- id: a\n  files: &f [x]\n- id: b\n  files: *f\n");
    expect(parsed).toMatchObject({ ok: true, value: [{ files: ["x"] }, { files: ["x"] }] });
  });

  it("reads an empty list", () => {
    expect(parse("[]")).toEqual({ ok: true, value: [] });
  });

  it.each([
    ["", ["tasks.yml:1: the file has no tasks"]],
    [
      "tasks: []",
      [
        "tasks.yml:1: expected a list of tasks (docs/planning.md), or a plan with phases (docs/objectives.md)",
      ],
    ],
    ["- 5", ["tasks.yml:1: expected a task: id, and files that it may change"]],
    ["- id: a\n- title: x", ["tasks.yml:2: the task has no id"]],
    ["- id: [a]", ["tasks.yml:1: id must be a word or a number"]],
    ["- id: ''", ["tasks.yml:1: id must be a word or a number"]],
    ["- id: a\n  files: src", ["tasks.yml:2: files must be a list of patterns"]],
    ["- id: a\n  files:\n    - x\n    - 5", ["tasks.yml:4: files must be a list of patterns"]],
    [
      "- id: a\n  files:\n    - x\n    - *.ts",
      ["tasks.yml:4: quote patterns that begin with * or !"],
    ],
    ["- id: a\n  reads: { a: b }", ["tasks.yml:2: reads must be a list of patterns"]],
    ["- id: a\n  dependsOn: b", ["tasks.yml:2: dependsOn must be a list of task ids"]],
    ["- id: a\n  labels: big", ["tasks.yml:2: labels must be a list of words"]],
    ["- id: a\n  labels: [size:huge]", ["tasks.yml:2: size:huge is none of s, m, l, xl"]],
    ["- id: a\n  minutes: 0", ["tasks.yml:2: minutes must be a number above 0"]],
    ["- id: a\n  title: [x]", ["tasks.yml:2: title must be text"]],
    ["- id: a\n- id: b\n- id: a", ["tasks.yml:3: the id a is taken: see line 1"]],
  ])("says what is wrong with %j", (text, problems) => {
    expect(parse(text)).toEqual({ ok: false, error: problems });
  });

  it("names an unknown field, so that a typo is not a task that runs alone", () => {
    expect(parse("- id: a\n  file: [x]")).toMatchObject({
      error: [expect.stringMatching(/^tasks\.yml:2: file is none of id, title/)],
    });
  });

  it.each([
    "- id: a\n  files:\n    - !src/x",
    "- id: a\n  files: [x",
    "- id: a\n   files: [x]\n- b: {",
  ])("gives the line of what is not YAML in %j", (text) => {
    const parsed = parse(text);
    expect(parsed.ok ? [] : parsed.error[0]).toMatch(/^tasks\.yml:[123]: ./);
  });

  it("lists all problems in the order of their lines", () => {
    const parsed = parse("- id: a\n  files: x\n  wrong: 1\n- id: a\n");
    expect(parsed.ok ? [] : parsed.error.map((line) => line.split(":")[1])).toEqual([
      "2",
      "3",
      "4",
    ]);
  });

  it("keeps a task with a bad pattern, with the line of the pattern", () => {
    const parsed = parse("- id: a\n  files:\n    - src/a.ts\n    - ../b.ts\n");
    const invalid = parsed.ok ? parsed.value[0]?.invalid : undefined;
    expect(invalid?.code).toBe("bad-claim");
    expect(invalid?.reason).toMatch(/^tasks\.yml:4: "\.\.\/b\.ts": /);
  });
});

function tasksOf(text: string) {
  const parsed = parseTaskFile(text, "tasks.yml");
  return parsed.ok ? plannableTasks(parsed.value) : [];
}

describe("plannableTasks", () => {
  it("lets a task that declares files run beside others unless a label says otherwise", () => {
    const tasks = tasksOf("- {id: a, files: [x]}\n- {id: b, files: [x], labels: [sequential]}\n");
    expect(tasks.map(({ parallelSafe, exclusive }) => [parallelSafe, exclusive])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("numbers tasks by id, not by their place in the file", () => {
    const tasks = tasksOf("[{id: t10}, {id: t9}, {id: 2}, {id: a}, {id: t09}]");
    expect(tasks.map(({ id, order }) => `${order} ${id}`)).toEqual([
      "1 2",
      "2 a",
      "3 t09",
      "4 t9",
      "5 t10",
    ]);
  });

  it("takes the minutes of the file, or guesses by size", () => {
    const tasks = tasksOf("[{id: a, minutes: 2.5}, {id: b}, {id: c, labels: [size:l]}]");
    expect(tasks.map(({ estimateMs }) => estimateMs)).toEqual([150_000, 253_000, 460_996]);
  });
});

const PHASES = `
name: Search
phases:
  - id: index
    name: Build the index
    parallel_safe: true
    subtasks:
      - { id: tokens, title: Split words, files: [src/tokens/**, "read: src/db.ts"], size: s }
      - { id: old, title: Was done, status: completed }
      - { id: store, title: Keep them, files: [src/store/**], depends_on: [tokens, old] }
  - phase: 2
    name: A gate
    depends_on: [Build the index]
  - id: page
    depends_on: [2]
    tasks:
      - { description: "Write the form.\\nWith care.", files_to_create: [src/form.ts] }
      - { title: List, files: [src/list.ts], labels: [parallel-safe, priority:high], dependsOn: [1] }
`;

describe("a plan of phases", () => {
  it("is a list of its subtasks, which wait for the phases before theirs and inherit what those allow", () => {
    const parsed = parse(PHASES);
    const tasks = parsed.ok ? parsed.value : [];
    expect(parsed).toMatchObject({ ok: true });
    expect(
      tasks.map(({ id, dependsOn, exclusive, parallelSafe }) => ({
        id,
        dependsOn,
        exclusive,
        parallelSafe,
      })),
    ).toEqual([
      { id: "tokens", dependsOn: [], exclusive: false, parallelSafe: true },
      { id: "store", dependsOn: ["tokens"], exclusive: false, parallelSafe: true },
      { id: "1", dependsOn: ["tokens", "store"], exclusive: true, parallelSafe: false },
      { id: "2", dependsOn: ["1", "tokens", "store"], exclusive: false, parallelSafe: true },
    ]);
    expect(tasks[0]).toMatchObject({
      title: "Split words",
      size: "s",
      claims: [
        { mode: "write", pattern: "src/tokens/**" },
        { mode: "read", pattern: "src/db.ts" },
      ],
    });
    expect(tasks[2]).toMatchObject({
      title: "Write the form.",
      body: "Write the form.\nWith care.",
    });
    expect(tasks[3]).toMatchObject({ priority: "high" });
    expect(
      plannableTasks(tasks).map(({ parallelSafe, exclusive }) => [parallelSafe, exclusive]),
    ).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it("is the same in JSON", () => {
    const value: unknown = parseYaml(PHASES);
    expect(parse(JSON.stringify(value))).toEqual(parse(PHASES));
  });

  it("tells subtasks with the same id apart by their phase", () => {
    const part = (name: string) => ({ id: name, subtasks: [{ id: 1, title: "a" }] });
    const parsed = parse(JSON.stringify({ phases: [part("x"), part("y")] }));
    expect(parsed).toMatchObject({ ok: true, value: [{ id: "x.1" }, { id: "y.1" }] });
  });

  it.each([
    [
      "a dependency on nothing",
      "phases:\n- name: A\n  depends_on: [Z]\n  subtasks:\n  - title: x\n    depends_on: [y]\n",
      [
        'tasks.yml:2: phases[0].depends_on[0]: there is no phase "Z"',
        'tasks.yml:5: phases[0].subtasks[0].depends_on[0]: there is no subtask "y"',
      ],
    ],
    [
      "an id that is taken",
      "phases:\n- subtasks:\n  - { id: a, title: x }\n  - { id: a, title: y }\n",
      ["tasks.yml:4: the id 1.a is taken: see line 3"],
    ],
    [
      "a priority that is none",
      "phases:\n- subtasks:\n  - { title: x, labels: [priority:huge] }\n",
      ["tasks.yml:3: priority:huge is none of high, normal, low"],
    ],
    [
      "a subtask without words",
      "phases:\n- subtasks:\n  - id: a\n",
      ["tasks.yml:3: phases[0].subtasks[0]: expected a title or a description"],
    ],
  ])("is refused for %s, with file and line", (_, text, problems) => {
    expect(parse(text)).toEqual({ ok: false, error: problems });
  });

  it("blocks the subtask whose files cannot be used, and no other", () => {
    const parsed = parse(
      "phases:\n- subtasks:\n  - { title: x, files: [/etc] }\n  - { title: y }\n",
    );
    expect(parsed).toMatchObject({
      ok: true,
      value: [
        {
          invalid: {
            code: "bad-claim",
            reason: expect.stringMatching(/^tasks\.yml:3: "\/etc": /) as string,
          },
        },
        { invalid: undefined },
      ],
    });
  });
});
