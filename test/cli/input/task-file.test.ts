import { describe, expect, it } from "vitest";
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
    ["tasks: []", ["tasks.yml:1: expected a list of tasks"]],
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
