import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sha, type Sha } from "../../src/domain/ids.ts";

const run = promisify(execFile);

export async function shellGit(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", args, {
    cwd,
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "bench",
      GIT_AUTHOR_EMAIL: "bench@example.test",
      GIT_COMMITTER_NAME: "bench",
      GIT_COMMITTER_EMAIL: "bench@example.test",
    },
  });
  return stdout.trim();
}

export interface SampleRepository {
  /** A bare repository, to be served by `file://`. */
  readonly remote: string;
  readonly base: Sha;
  /** Twenty commits later. */
  readonly later: Sha;
}

/** About 1.5 kB a file, fifty files a folder: what source trees look like. */
export async function createSampleRepository(
  root: string,
  files: number,
): Promise<SampleRepository> {
  const work = join(root, "work");
  await mkdir(work, { recursive: true });
  await shellGit(work, "init", "--quiet", "--initial-branch=main");
  for (let index = 0; index < files; index += 1) await writeSource(work, index, 0);
  await shellGit(work, "add", "--all");
  await shellGit(work, "commit", "--quiet", "--message", "first");
  const base = sha(await shellGit(work, "rev-parse", "HEAD"));
  for (let commit = 1; commit <= 20; commit += 1) {
    for (let edit = 0; edit < 5; edit += 1)
      await writeSource(work, (commit * 37 + edit * 11) % files, commit);
    await shellGit(work, "commit", "--quiet", "--all", "--message", `later ${commit}`);
  }
  const later = sha(await shellGit(work, "rev-parse", "HEAD"));
  await shellGit(root, "clone", "--quiet", "--bare", work, "remote.git");
  return { remote: join(root, "remote.git"), base, later };
}

function sourcePath(index: number): string {
  const folder = Math.floor(index / 50);
  return `packages/p${folder % 40}/src/d${Math.floor(folder / 40)}/file-${index}.ts`;
}

async function writeSource(root: string, index: number, version: number): Promise<void> {
  const path = join(root, sourcePath(index));
  await mkdir(dirname(path), { recursive: true });
  const lines = Array.from({ length: 40 }, (_, line) => `export const v${line} = ${index + line};`);
  await writeFile(path, [`// version ${version}`, ...lines, ""].join("\n"));
}
