import { describe, expect, it } from "vitest";
import { buildConflictGraph } from "../../../src/planner/conflicts/conflict-graph.ts";
import { compileTask, tasksConflict } from "../../../src/planner/conflicts/conflict-task.ts";
import type { ClaimingTask } from "../../../src/planner/conflicts/conflict-task.ts";
import { claim } from "../../domain/claim/support/compiled.ts";

describe("buildConflictGraph", () => {
  it("keeps disjoint tasks apart from each other's conflicts", () => {
    const graph = buildConflictGraph([
      task("src/a/"),
      task("src/b/"),
      task("src/a/x.ts"),
      task("docs/"),
    ]);

    expect(neighbourLists(graph)).toEqual([[2], [], [0], []]);
    expect([0, 1, 2, 3].map((i) => graph.degree(i))).toEqual([1, 0, 1, 0]);
    expect(graph.conflicts(0, 2)).toBe(true);
    expect(graph.conflicts(0, 0)).toBe(false);
    expect(graph.example(2, 0)).toBe("src/a/x.ts");
    expect(graph.example(0, 1)).toBeUndefined();
  });

  it.each([
    { reason: "exclusive", alone: { ...task("a.ts"), exclusive: true } },
    { reason: "not-parallel-safe", alone: { ...task("a.ts"), parallelSafe: false } },
    { reason: "no-writes", alone: task("read: a.ts") },
    { reason: "barrier", alone: task(".gitignore") },
    { reason: "unreadable", alone: { ...task(), claims: [{ mode: "write", pattern: "a{" }] } },
  ] as const)("sets a task apart from all others: $reason", ({ reason, alone }) => {
    const graph = buildConflictGraph([task("b.ts"), alone, task("c.ts")]);

    expect(neighbourLists(graph)).toEqual([[1], [0, 2], [1]]);
    expect(graph.alone(1)).toMatchObject({ kind: reason });
    expect(graph.alone(0)).toBeUndefined();
    expect(graph.example(0, 1)).toBeDefined();
  });

  it("takes barrier files, shared files and the base tree from its options", () => {
    const set = [task("deploy.toml"), task("a.gen.ts"), task("a.gen.ts"), task("lib"), task("lib")];
    const graph = buildConflictGraph(set, {
      barrier: ["deploy.toml"],
      shared: ["**/*.gen.ts"],
      isDirectory: (path) => path === "lib",
    });

    expect(neighbourLists(graph)).toEqual([[1, 2, 3, 4], [0], [0], [0, 4], [0, 3]]);
  });

  it("has no edge without tasks, or with one", () => {
    expect(buildConflictGraph([]).size).toBe(0);
    expect(neighbourLists(buildConflictGraph([task("**")]))).toEqual([[]]);
  });

  it("relates a file to what others declare below it", () => {
    const graph = buildConflictGraph([
      task("**/x.pkg"),
      task("a/x.pkg"),
      task("a/x.pkg/y.png"),
      task("a/*/*.png"),
      task("**/x.pkg/y.png"),
    ]);

    expect(neighbourLists(graph)).toEqual([
      [1, 2, 4],
      [0, 2, 4],
      [0, 1, 3, 4],
      [2, 4],
      [0, 1, 2, 3],
    ]);
  });

  it("widens patterns that are too many to compare, and never loses a conflict", () => {
    const set = Array.from({ length: 300 }, (_, i) => task(`**/*${i}`, `dir-${i}/`));
    const everyone = [...set, task("src/41"), task("src/zz.ts")];
    const graph = buildConflictGraph(everyone, { maxComparisons: 10_000 });
    const compiled = set.map((one) => compileTask(one));

    const lost = compiled.flatMap((a, i) =>
      compiled.flatMap((b, j) =>
        i !== j && tasksConflict(a, b) && !graph.conflicts(i, j) ? [[i, j]] : [],
      ),
    );

    expect(lost).toEqual([]);
    expect(graph.conflicts(7, 300)).toBe(true);
    expect(graph.example(7, 301)).toBe("src/zz.ts");
  });

  it("compares paths that are deeper than its tree", () => {
    const deep = "a/".repeat(30);
    const graph = buildConflictGraph([
      task(`${deep}x.ts`),
      task(`${deep}y.ts`),
      task(`${deep}*.ts`),
      task("a/".repeat(20)),
      task("a/".repeat(15)),
      task(`${"a/".repeat(17)}b/`),
    ]);

    expect(neighbourLists(graph)).toEqual([
      [2, 3, 4],
      [2, 3, 4],
      [0, 1, 3, 4],
      [0, 1, 2, 4],
      [0, 1, 2, 3, 5],
      [4],
    ]);
  });

  it("stays exact for many patterns that end with different names", () => {
    const graph = buildConflictGraph(Array.from({ length: 3000 }, (_, i) => task(`**/${i}.ts`)));

    expect(Array.from({ length: 3000 }, (_, i) => graph.degree(i)).every((n) => n === 0)).toBe(
      true,
    );
  });

  it.each([
    { what: "stars", line: (i: number) => `${"*a".repeat(25)}${i}` },
    { what: "stars in a path", line: (i: number) => `${"*a*/".repeat(60)}${i}` },
    { what: "deep stars", line: (i: number) => `${"**/a/".repeat(100)}${i}` },
    { what: "long runs", line: (i: number) => `**/${"a".repeat(400)}*${"a".repeat(400)}b${i}` },
    { what: "braces", line: (i: number) => `{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}/${i}` },
    { what: "nested braces", line: (i: number) => `${"{a,b".repeat(8)}${"}".repeat(8)}${i}` },
    { what: "negated classes", line: (i: number) => `${"[!a]*".repeat(40)}${i}` },
    { what: "deep directories", line: (i: number) => `${"a/".repeat(400)}${i}` },
    { what: "exclusions", line: (i: number) => `!${"*a".repeat(25)}${i}` },
  ])("takes no more than moments for hostile patterns: $what", ({ line }) => {
    const set = Array.from({ length: 300 }, (_, i) => task("src/", line(2 * i), line(2 * i + 1)));
    const before = process.cpuUsage();

    buildConflictGraph(set);

    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});

function task(...lines: readonly string[]): ClaimingTask {
  return { claims: lines.map(claim), exclusive: false, parallelSafe: true };
}

function neighbourLists(graph: ReturnType<typeof buildConflictGraph>): number[][] {
  return Array.from({ length: graph.size }, (_, i) => [...graph.neighbours(i)]);
}
