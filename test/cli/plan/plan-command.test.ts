import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MAIN = new URL("../../../src/cli/main.ts", import.meta.url).pathname;

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "wavetrain-plan-"))));
afterAll(() => rm(folder, { recursive: true }));

interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the real command line; `input` goes to its standard input. */
async function wavetrain(args: readonly string[], input = ""): Promise<Ending> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", MAIN, ...args],
      (error, out, err) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
      },
    );
    child.stdin?.end(input);
  });
}

async function file(content: string): Promise<string> {
  const path = join(folder, "tasks.yml");
  await writeFile(path, content);
  return path;
}

const TASKS = `
- { id: session, files: ["src/auth/**"], minutes: 10 }
- { id: login, files: [src/auth/login.ts], minutes: 3 }
- { id: docs, files: [docs/], dependsOn: [login], minutes: 2 }
- { id: lost, files: [x], dependsOn: [nowhere] }
`;

describe("wavetrain plan", () => {
  it("prints the JSON that scripts rely on", async () => {
    const { code, out } = await wavetrain(["plan", "--tasks", await file(TASKS), "--json"]);
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
    const one = await wavetrain(["plan", "--tasks", "-", "--json"], TASKS);
    const two = await wavetrain(
      ["plan", "--tasks", "-", "--json"],
      TASKS.trim().split("\n").reverse().join("\n"),
    );
    expect(two.out).toBe(one.out);
  });

  it("ends the five recorded runs in 13:01 with two slots", async () => {
    const minutes = ["3.4", "3.016666666666667", "3.216666666666667", "4.066666666666666", "10"];
    const tasks = minutes
      .map((m, at) => `- { id: t${at}, files: [f${at}], minutes: ${m} }`)
      .join("\n");
    const two = await wavetrain(["plan", "--tasks", "-", "--json", "--parallel", "2"], tasks);
    expect((JSON.parse(two.out) as { makespan: number }).makespan).toBeCloseTo(13 + 1 / 60, 9);
    const waves = await wavetrain(
      ["plan", "--tasks", "-", "--json", "--parallel", "2", "--schedule", "waves"],
      tasks.replace("files: [f4]", "files: [f3]"),
    );
    expect((JSON.parse(waves.out) as { waves: string[][] }).waves).toHaveLength(2);
  });

  it("shows a summary, a table, a timeline and what is blocked", async () => {
    const { code, out } = await wavetrain(["plan", "--tasks", "-", "--parallel", "2"], TASKS);
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

  it("draws the plan with Mermaid", async () => {
    const titled =
      '- { id: a, title: "say \\"hi\\" [x]", files: [a] }\n- { id: b, files: [a, b] }\n- { id: c, files: [c], dependsOn: [a] }';
    const { out } = await wavetrain(["plan", "--tasks", "-", "--mermaid"], titled);
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
    const path = await file("- id: a\n  files: src\n- id: a\n");
    const { code, out, err } = await wavetrain(["plan", "--tasks", path]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      `${path}:2: files must be a list of patterns\n${path}:3: the id a is taken: see line 1\n`,
    );
  });

  it.each([
    [["plan"], "give --tasks FILE or --repo OWNER/NAME"],
    [
      ["plan", "--tasks", "/nonexistent/tasks.yml"],
      "/nonexistent/tasks.yml: cannot be read (ENOENT)",
    ],
    [["plan", "--tasks", "-", "--parallel", "0"], "It must be a whole number from 1 to 9999."],
    [["plan", "--tasks", "-", "--schedule", "fast"], "Allowed choices are rolling, waves."],
  ])("ends with 2 and says why: %j", async (args, message) => {
    const { code, err } = await wavetrain(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
