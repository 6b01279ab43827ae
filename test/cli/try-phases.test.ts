import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../src/cli/try/result.ts";
import { bundledApp } from "../support/bundle-app.ts";

const PLAN = {
  phases: [
    {
      name: "Index",
      parallel_safe: true,
      subtasks: [
        { id: "one", title: "One", files: ["one.txt"] },
        { id: "two", title: "Two", files: ["two.txt"] },
      ],
    },
    {
      name: "Page",
      depends_on: ["Index"],
      subtasks: [{ id: "three", title: "Three", files: ["three.txt"] }],
    },
  ],
};

describe("wavetrain try with a plan of phases", () => {
  it("lands every subtask, those of a phase after those of the phases before it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "try-phases-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const plan = join(folder, "plan.json");
    await writeFile(plan, JSON.stringify(PLAN));
    const repo = join(folder, "repo");
    await execa("git", ["init", "--quiet", "--initial-branch=main", repo]);
    const author = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    await execa("git", [...author, "commit", "--allow-empty", "-qm", "first"], { cwd: repo });
    const write = `echo x > "$WAVETRAIN_TASK_ID.txt"`;
    const { stdout } = await execa(
      "node",
      [await bundledApp(), "try", "--repo", repo, "--tasks", plan, "--command", write, "--json"],
      { env: { TMPDIR: folder }, stdin: "ignore", reject: false },
    );
    const { tasks } = JSON.parse(stdout) as TryResult;
    expect(tasks.map(({ id, state }) => [id, state])).toEqual([
      ["one", "landed"],
      ["two", "landed"],
      ["three", "landed"],
    ]);
    const [one, two, three] = tasks.map(({ startedAt, landedAt }) => ({ startedAt, landedAt }));
    for (const before of [one, two])
      expect(String(three?.startedAt) >= String(before?.landedAt)).toBe(true);
  });
});
