import { describe, expect, it } from "vitest";
import { plannableTasks } from "../../src/cli/plannable-tasks.ts";
import { parseTaskFile } from "../../src/cli/task-file.ts";

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
