import { execFile } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bundledApp } from "../../support/bundle-app.ts";
import { runPlan, taskFile } from "./run-plan.ts";
import type { Ending } from "./run-plan.ts";

/** The real command line; `input` goes to its standard input. */
async function wavetrain(args: readonly string[], input = ""): Promise<Ending> {
  const program = await bundledApp();
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
    child.stdin?.end(input);
  });
}

const planOf = async (tasks: string, ...args: readonly string[]): Promise<Ending> =>
  runPlan(["--tasks", await taskFile(tasks), ...args]);

const TASKS = `
- { id: session, files: ["src/auth/**"], minutes: 10 }
- { id: login, files: [src/auth/login.ts], minutes: 3 }
- { id: docs, files: [docs/], dependsOn: [login], minutes: 2 }
- { id: lost, files: [x], dependsOn: [nowhere] }
`;

describe("wavetrain plan", () => {
  it("takes a plan of phases, too", async () => {
    const plan = `
phases:
  - name: Index
    parallel_safe: true
    subtasks:
      - { id: tokens, title: Split words, files: [src/tokens/**] }
      - { id: store, title: Keep them, files: [src/store/**] }
  - name: Page
    depends_on: [Index]
    subtasks:
      - { id: form, title: Form, files: [src/form.ts] }
      - { id: list, title: List, files: [src/list.ts] }
`;
    const { code, out } = await planOf(plan, "--json");
    expect(code).toBe(0);
    const waves = [["store", "tokens"], ["form"], ["list"]];
    expect(JSON.parse(out)).toMatchObject({ waves, blocked: [] });
    expect((await planOf(plan)).out).toContain("it is not labelled parallel-safe");
  });

  it("prints the JSON that scripts rely on", async () => {
    const { code, out } = await wavetrain(["plan", "--tasks", "-", "--json"], TASKS);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      waves: [["session"], ["login"], ["docs"]],
      blocked: [
        {
          id: "lost",
          code: "dependency-unknown",
          reason: "depends on nowhere, which does not exist",
        },
      ],
      schedule: [
        { id: "session", start: 0, end: 10, slot: 0 },
        { id: "login", start: 10, end: 13, slot: 0 },
        { id: "docs", start: 13, end: 15, slot: 0 },
      ],
      makespan: 15,
      lowerBound: 13,
      conflicts: [{ a: "login", b: "session", example: "src/auth/login.ts" }],
    });
  });

  it("plans the same, byte for byte, when the file is in another order", async () => {
    const one = await planOf(TASKS, "--json");
    const two = await planOf(TASKS.trim().split("\n").reverse().join("\n"), "--json");
    expect(two.out).toBe(one.out);
  });

  it("ends the five recorded runs in 13:01 with two slots", async () => {
    const minutes = ["3.4", "3.016666666666667", "3.216666666666667", "4.066666666666666", "10"];
    const tasks = minutes.map((m, at) => `- { id: t${at}, files: [f${at}], minutes: ${m} }`);
    const { out } = await planOf(tasks.join("\n"), "--json", "--parallel", "2");
    expect((JSON.parse(out) as { makespan: number }).makespan).toBeCloseTo(13 + 1 / 60, 9);
  });

  it("keeps a barrier between waves when asked to", async () => {
    const tasks =
      "[{id: a, files: [a], minutes: 1}, {id: b, files: [b], minutes: 9}, {id: c, files: [a], minutes: 5}, {id: d, files: [a], minutes: 1}]";
    const ends = await Promise.all(
      ["rolling", "waves"].map(async (mode) => {
        const { out } = await planOf(tasks, "--json", "--schedule", mode);
        return (JSON.parse(out) as { makespan: number }).makespan;
      }),
    );
    expect(ends).toEqual([9, 11]);
  });

  it("shows a summary, a table, a timeline and what is blocked", async () => {
    const { code, out } = await planOf(TASKS, "--parallel", "2");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "3 tasks in 3 waves, 1 blocked: 15:00 with 2 slots, 15:00 one by one, no plan is shorter than 13:00

      wave  task     start   time  why here
         1  session   0:00  10:00
         2  login    10:00   3:00  session: both may write src/auth/login.ts
         3  docs     13:00   2:00  depends on login

      slot 1 ├session─────────────────────────────────────────────────────┤├login────────────┤├docs──────┤
             0:00        2:00         4:00        6:00         8:00        10:00       12:00        14:00

      blocked  code                reason
      lost     dependency-unknown  depends on nowhere, which does not exist
      "
    `);
  });

  describe("with more conflicts than anyone reads", () => {
    const MANY = Array.from({ length: 50 }, (_, at) => `- { id: t${at}, files: [a] }`).join("\n");
    const listed = async (tasks: string, ...args: readonly string[]) => {
      const { out } = await planOf(tasks, "--json", ...args);
      return JSON.parse(out) as { conflicts: object[]; conflictsLeftOut?: number };
    };

    it("lists the first thousand and says how many it left out", async () => {
      const { conflicts, conflictsLeftOut } = await listed(MANY);
      expect([conflicts.length, conflictsLeftOut]).toEqual([1000, (50 * 49) / 2 - 1000]);
      expect(conflicts[0]).toEqual({ a: "t0", b: "t1", example: "a" });
    });

    it.each([
      { which: "all", count: 1225, leftOut: undefined },
      { which: "none", count: 0, leftOut: 1225 },
      { which: "3", count: 3, leftOut: 1222 },
      { which: "5000", count: 1225, leftOut: undefined },
    ])("lists $count of them with --conflicts $which", async ({ which, count, leftOut }) => {
      const { conflicts, conflictsLeftOut } = await listed(MANY, "--conflicts", which);
      expect([conflicts.length, conflictsLeftOut]).toEqual([count, leftOut]);
    });

    it("counts neither what is blocked nor what only runs alone", async () => {
      const tasks = [
        "- { id: a, files: [x], labels: [exclusive] }",
        "- { id: b, files: [x] }",
        "- { id: c, files: [y] }",
        "- { id: d, files: [x], dependsOn: [nowhere] }",
        "- { id: e }",
      ].join("\n");
      expect((await listed(tasks)).conflicts).toEqual([{ a: "a", b: "b", example: "x" }]);
      expect(await listed(tasks, "--conflicts", "none")).toMatchObject({
        conflicts: [],
        conflictsLeftOut: 1,
      });
    });

    it("adds them to the table only when asked to", async () => {
      expect((await planOf(MANY)).out).not.toContain("both may touch");
      const { out } = await planOf(MANY, "--conflicts", "2");
      expect(out).toContain(
        "conflict  with  both may touch\nt0        t1    a\nt0        t2    a\n",
      );
      expect(out).toContain("\n\n1223 conflicts left out\n");
    });

    it("draws none of them", async () => {
      expect((await planOf(MANY, "--mermaid")).out).not.toContain("-.-");
    });
  });

  it("draws the plan with Mermaid", async () => {
    const tasks = [
      '- { id: a, title: "say \\"hi\\" [x]", files: [a] }',
      "- { id: b, files: [a, b] }",
      "- { id: c, files: [c], dependsOn: [a] }",
    ];
    const { out } = await planOf(tasks.join("\n"), "--mermaid");
    expect(out).toMatchInlineSnapshot(`
      "flowchart LR
        subgraph w0["wave 1"]
          t0["a say #34;hi#34; #91;x#93;"]
        end
        subgraph w1["wave 2"]
          t1["b"]
          t2["c"]
        end
        t0 --> t2
        t0 -.- t1
      "
    `);
  });

  it("ends with 2 and the line of every mistake when the file is unusable", async () => {
    const ending = await wavetrain(["plan", "--tasks", "-"], "- id: a\n  files: src\n- id: a\n");
    expect(ending).toEqual({
      code: 2,
      out: "",
      err: "stdin:2: files must be a list of patterns\nstdin:3: the id a is taken: see line 1\n",
    });
  });

  it.each([
    [[], "give --tasks FILE or --repo OWNER/NAME"],
    [["--tasks", "/nonexistent/tasks.yml"], "/nonexistent/tasks.yml: cannot be read (ENOENT)"],
    [["--repo", "nobody"], "not an owner/name: nobody"],
  ])("ends with 2 and says why: %j", async (args, message) => {
    const { code, err } = await runPlan(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each([
    [["--tasks", "-", "--parallel", "0"], "It must be a whole number from 1 to 9999."],
    [["--tasks", "-", "--conflicts", "some"], "It must be all, none or a whole number."],
    [["--tasks", "-", "--conflicts", "-1"], "It must be all, none or a whole number."],
    [["--tasks", "-", "--conflicts", "1", "--mermaid"], "cannot be used with"],
    [["--tasks", "-", "--schedule", "fast"], "Allowed choices are rolling, waves."],
    [["--tasks", "-", "--repo", "o/r"], "cannot be used with"],
  ])("refuses options that make no sense: %j", async (args, message) => {
    expect((await runPlan(args)).err).toContain(message);
  });

  it.each([["--wrong"], ["--conflicts", "some"]])(
    "ends with 2 on a wrong option: %s",
    async (...args) => {
      expect((await wavetrain(["plan", ...args])).code).toBe(2);
    },
  );
});
