import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledApp } from "../../support/bundle-app.ts";
import { bubblewrapWorks } from "../../support/installed.ts";

const WORKS = await bubblewrapWorks();

let folder = "";
let program = "";
beforeAll(async () => {
  program = await bundledApp();
  folder = await mkdtemp(join(tmpdir(), "try-sandboxed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.runIf(WORKS)("wavetrain try --sandbox bubblewrap", () => {
  it("keeps a typed command in: a HOME of its own, its own file, and the variables that are named", async () => {
    const repo = join(folder, "repo");
    await mkdir(repo);
    await writeFile(join(folder, "private.txt"), "mine\n");
    await writeFile(join(folder, "tasks.yml"), "- { id: one, files: [one.txt] }\n");
    const agent = `#!/bin/sh\necho "$HOME $GIVEN $HIDDEN $(cat '${folder}/private.txt')" > one.txt\n`;
    await writeFile(join(folder, "agent.sh"), agent, { mode: 0o755 });
    const git = ["-c", "user.name=t", "-c", "user.email=t@e.org"];
    await execa("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repo });
    const first = ["commit", "--quiet", "--allow-empty", "-m", "first"];
    await execa("git", [...git, ...first], { cwd: repo });
    const work = ["--repo", "repo", "--tasks", "tasks.yml", "--command", "./agent.sh"];
    const kept = ["--sandbox", "bubblewrap", "--env", "GIVEN", "--pacing", "off"];
    const end = await execa("node", [program, "try", ...work, ...kept], {
      cwd: folder,
      env: { TMPDIR: folder, HOME: folder, GIVEN: "given", HIDDEN: "hidden" },
      stdin: "ignore",
    });
    expect(end.stdout).toContain("\nSandbox: bubblewrap\n");
    const [, result = ""] = /git pull (\S+) main/.exec(end.stdout) ?? [];
    const { stdout } = await execa("git", ["-C", result, "show", "main:one.txt"]);
    expect(stdout).toMatch(/^\S+\/app\/homes\/\S+ given {2}$/);
  });
});
