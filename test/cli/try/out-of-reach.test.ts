import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../../src/cli/try/result.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { pathWithout } from "../../support/path-without.ts";

const TASKS = `
- { id: ci, files: [.github/workflows/ci.yml] }
- { id: lib, files: [vendor/lib/a.c] }
- { id: logo, files: [logo.psd] }
`;
const COMMAND = "mkdir -p .github/workflows && echo 'on: push' > .github/workflows/ci.yml";

it("a trial lands workflow files, and says before any run what no run can change", async () => {
  const folder = await mkdtemp(join(tmpdir(), "try-reach-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [repo, tasks] = [join(folder, "repo"), join(folder, "tasks.yml")];
  const git = (...args: readonly string[]) =>
    execa("git", ["-C", repo, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
  await execa("git", ["init", "--quiet", "--initial-branch=main", repo]);
  await writeFile(tasks, TASKS);
  await writeFile(join(repo, ".gitattributes"), "*.psd filter=lfs -text\n");
  await git("add", ".");
  await git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  await git("commit", "--quiet", "--message=first");

  const work = ["--repo", repo, "--tasks", tasks, "--command", COMMAND, "--verify", "true"];
  const end = await execa("node", [await bundledApp(), "try", ...work, "--json"], {
    env: { TMPDIR: folder, PATH: await pathWithout("git-lfs") },
    reject: false,
    stdin: "ignore",
  });
  const { tasks: results } = JSON.parse(end.stdout) as TryResult;
  expect(results.map(({ id, state }) => [id, state])).toEqual([
    ["ci", "landed"],
    ["lib", "blocked"],
    ["logo", "blocked"],
  ]);
  expect(results[1]?.reason).toContain("vendor/lib is a submodule");
  expect(results[2]?.reason).toContain("logo.psd is kept by Git LFS");
});
