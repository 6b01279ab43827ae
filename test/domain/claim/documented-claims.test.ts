import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { IsDirectory } from "../../../src/domain/claim/compile-pattern.ts";
import { parseClaim } from "../../../src/domain/claim/parse-claim.ts";
import { compileScope, pathAllowed } from "../../../src/domain/claim/scope.ts";
import { patternKey } from "../../../src/domain/glob/path-pattern.ts";
import { compileTask, tasksConflict } from "../../../src/planner/conflicts/conflict-task.ts";
import type { CompiledTask } from "../../../src/planner/conflicts/conflict-task.ts";
import { claim, compiled } from "./support/compiled.ts";

const page = readFileSync(new URL("../../../docs/claims.md", import.meta.url), "utf8");

describe("docs/claims.md", () => {
  it.each(rowsUnder("line", "stands for"))("%s stands for what the page says", (line, yes, no) => {
    expect(allowedOf(line, pathsIn(yes))).toEqual(pathsIn(yes));
    expect(allowedOf(line, pathsIn(no))).toEqual([]);
  });

  it.each(rowsUnder("line", "on the base branch"))(
    "%s on the base branch: %s",
    (...[line, kind, yes, no]) => {
      const isDirectory: IsDirectory = () =>
        kind === "nothing" ? undefined : kind === "a directory";

      expect(allowedOf(line, pathsIn(yes), isDirectory)).toEqual(pathsIn(yes));
      expect(allowedOf(line, pathsIn(no), isDirectory)).toEqual([]);
    },
  );

  it.each(rowsUnder("one task", "another task"))(
    "%s beside %s: %s",
    (...[one, other, together, example]) => {
      const [a, b] = [taskOf(one), taskOf(other)];

      const conflict = tasksConflict(a, b);

      expect(conflict === undefined ? "yes" : "no").toBe(together);
      if (conflict) expect(conflict.example).toBe(pathsIn(example)[0]);
      expect(tasksConflict(b, a) === undefined).toBe(conflict === undefined);
    },
  );

  it.each(rowsUnder("line", "counts as"))("%s counts as %s", (line, widened) => {
    const [actual, expected] = [line, widened].map((cell) => compiled(...pathsIn(cell)));

    expect(actual?.writes.map(patternKey)).toEqual(expected?.writes.map(patternKey));
  });

  it.each(rowsUnder("line", "answer"))("%s is refused", (line, answer) => {
    expect(parseClaim(pathsIn(line)[0] ?? "")).toEqual({ ok: false, error: { reason: answer } });
  });
});

function allowedOf(line: string, paths: readonly string[], isDirectory?: IsDirectory): string[] {
  const scope = compileScope(pathsIn(line).map(claim), isDirectory);
  return scope.ok ? paths.filter((path) => pathAllowed(scope.value, path)) : [];
}

function taskOf(cell: string): CompiledTask {
  return compileTask({ claims: pathsIn(cell).map(claim), exclusive: false, parallelSafe: true });
}

/** The code spans of a cell. */
function pathsIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, text = ""]) => text.replaceAll("\\|", "|"));
}

/** The rows of the only table with these first two headings. */
function rowsUnder(first: string, second: string): [string, string, string, string][] {
  const tables = page.split(/\n(?!\|)/).map((block) => block.trim().split("\n").map(cellsOf));
  const found = tables.filter(([head]) => head?.[0] === first && head[1] === second);
  const rows = found.flatMap(([, , ...body]) => body);
  if (found.length !== 1 || rows.length < 3) throw new Error(`no table ${first} | ${second}`);
  return rows.map(([a = "", b = "", c = "", d = ""]) => [a, b, c, d]);
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim());
}
