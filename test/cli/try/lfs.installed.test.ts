import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import type { TryResult } from "../../../src/cli/try/result.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { hasProgram } from "../../support/installed.ts";

const TASKS = "- { id: logo, files: [logo.psd] }\n";
const COMMAND = "grep -q 'a logo' logo.psd && echo 'a new logo' > logo.psd";

it.runIf(hasProgram("git-lfs"))(
  "a trial works on files of Git LFS with the content that the repository has",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "try-lfs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [repo, tasks] = [join(folder, "repo"), join(folder, "tasks.yml")];
    const git = (...args: readonly string[]) =>
      execa("git", ["-C", repo, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
    await execa("git", ["init", "--quiet", "--initial-branch=main", repo]);
    await git("lfs", "install", "--local");
    await writeFile(tasks, TASKS);
    await writeFile(join(repo, ".gitattributes"), "*.psd filter=lfs -text\n");
    await writeFile(join(repo, "logo.psd"), "a logo\n");
    await git("add", ".");
    await git("commit", "--quiet", "--message=first");

    const verify = "grep -q logo logo.psd";
    const work = ["--repo", repo, "--tasks", tasks, "--command", COMMAND, "--verify", verify];
    const end = await execa("node", [await bundledApp(), "try", ...work, "--json"], {
      env: { TMPDIR: folder },
      reject: false,
      stdin: "ignore",
    });
    const { tasks: results } = JSON.parse(end.stdout) as TryResult;
    expect(results.map(({ id, state }) => [id, state])).toEqual([["logo", "landed"]]);
  },
);
