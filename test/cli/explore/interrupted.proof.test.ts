import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { further, some } from "../../support/further.ts";
import { exploreBench, IDEAS, resultOf } from "./explore-bench.ts";

const FAST = ["--pacing", "off", "--json"];
const HANG = `sleep 300.${process.pid}`;

async function processesWith(words: string): Promise<readonly string[]> {
  const { stdout } = await execa("ps", ["-eo", "args"]);
  return stdout.split("\n").filter((line) => line.includes(words));
}

async function eventually(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

describe("wavetrain explore at Ctrl-C", () => {
  it("keeps the best so far, and ends what runs", async () => {
    const { folder, agent, start, left, git } = await exploreBench();
    await agent(`[ "$WAVETRAIN_DEPTH" = 2 ] && { echo begun >> '${folder}/begun'; ${HANG}; }`);
    const run = start(IDEAS, FAST, "--max-parallel-evals", "2");
    await eventually(async () => (await textOf(join(folder, "begun"))).split("\n").length > 2);
    run.kill("SIGINT");
    const end = await run;
    const result = resultOf(end);
    expect(end.exitCode).toBe(0);
    expect(result).toMatchObject({ end: "cancelled by you", interrupted: true, logs: null });
    expect(result.winner).toMatchObject({ evaluation: 2, score: 15 });
    const states = result.evaluations.map(({ state, error }) => error?.kind ?? state);
    expect(states.slice(0, 3)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(states.slice(3, 5)).toEqual(["cancelled", "cancelled"]);
    expect(new Set(states.slice(5))).toEqual(new Set(["skipped"]));
    expect(await processesWith(HANG)).toEqual([]);
    await git("pull", "--quiet", String(result.repo), String(result.winner?.branch));
    expect(await git("show", "HEAD:value.txt")).toBe("15");
    const [name = "", ...more] = await left();
    expect([more, await readdir(join(folder, name))]).toEqual([[], ["github"]]);
  });

  it.each(
    some([
      ["before anything was tried", "--score"],
      ["while the base is verified", "--verify"],
    ]),
  )("ends %s, and leaves nothing", async (_, option) => {
    const { folder, start, left } = await exploreBench();
    const run = start(IDEAS, FAST, option, `echo begun > '${folder}/begun'; ${HANG}`);
    await eventually(async () => (await textOf(join(folder, "begun"))) !== "");
    run.kill("SIGTERM");
    const end = await run;
    expect(end.exitCode).toBe(1);
    expect(resultOf(end)).toMatchObject({ winner: null, interrupted: true, evaluations: [] });
    expect(await processesWith(HANG)).toEqual([]);
    expect(await left()).toEqual([]);
  });

  further("ends everything at once at the second one", async () => {
    const { folder, agent, start, left } = await exploreBench();
    // What does not end when it is asked to is given time: the second one does not wait for it.
    await agent(`trap '' TERM INT; echo begun >> '${folder}/begun'; ${HANG}; ${HANG}`);
    const run = start(IDEAS, FAST);
    await eventually(async () => (await textOf(join(folder, "begun"))) !== "");
    run.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 700));
    run.kill("SIGINT");
    const end = await run;
    expect(end.exitCode).toBe(1);
    expect(resultOf(end)).toMatchObject({ winner: null, interrupted: true });
    expect(await processesWith(HANG)).toEqual([]);
    expect(await left()).toEqual([]);
  });
});
