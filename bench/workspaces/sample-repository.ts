import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha, type Sha } from "../../src/domain/ids.ts";
import { shellGit } from "./shell-git.ts";

export interface SampleRepository {
  /** A bare repository, to be served by `file://`. */
  readonly remote: string;
  readonly base: Sha;
  /** Twenty commits later. */
  readonly later: Sha;
}

/** To be raised when other content is made: repositories of earlier versions are not used again. */
const VERSION = 1;
const COMMITS = 20;

/** About 1 kB a file, fifty files a folder: what source trees look like. Made once, then copied. */
export async function createSampleRepository(
  root: string,
  files: number,
): Promise<SampleRepository> {
  const remote = join(root, "remote.git");
  await cp(await provideOriginal(files), remote, { recursive: true });
  return {
    remote,
    base: sha(await shellGit(remote, "rev-parse", `main~${COMMITS}`)),
    later: sha(await shellGit(remote, "rev-parse", "main")),
  };
}

async function provideOriginal(files: number): Promise<string> {
  const folder = join(tmpdir(), "wavetrain-bench-repositories");
  const original = join(folder, `v${VERSION}-${files}.git`);
  if (existsSync(original)) return original;
  console.error(`… making a repository with ${files} files`);
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(join(folder, "new-"));
  await shellGit(fresh, "init", "--quiet", "--bare", "--initial-branch=main", "--template=");
  await importInto(fresh, files);
  // Renamed when whole; whoever made the same one at the same time was as good.
  await rename(fresh, original).catch(() => rm(fresh, { recursive: true }));
  return original;
}

async function importInto(repository: string, files: number): Promise<void> {
  const git = spawn("git", ["fast-import", "--quiet"], {
    cwd: repository,
    env: { PATH: process.env["PATH"], HOME: repository, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(git, "close");
  await pipeline(Readable.from(history(files)), git.stdin);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

function* history(files: number): Generator<string> {
  yield commitLine("first", 0);
  for (let index = 0; index < files; index += 1) yield fileLine(index, files, 0);
  for (let commit = 1; commit <= COMMITS; commit += 1) {
    yield commitLine(`later ${commit}`, commit);
    for (let edit = 0; edit < 5; edit += 1)
      yield fileLine((commit * 37 + edit * 11) % files, files, commit);
  }
}

function commitLine(message: string, at: number): string {
  const who = `bench <bench@example.test> ${1_700_000_000 + at} +0000`;
  return `commit refs/heads/main\ncommitter ${who}\n${dataLine(message)}`;
}

function fileLine(index: number, files: number, version: number): string {
  const lines = Array.from({ length: 40 }, (_, line) => `export const v${line} = ${index + line};`);
  const text = [`// version ${version} of ${files}`, ...lines, ""].join("\n");
  return `M 100644 inline ${sourcePath(index)}\n${dataLine(text)}`;
}

function dataLine(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function sourcePath(index: number): string {
  const folder = Math.floor(index / 50);
  return `packages/p${folder % 40}/src/d${Math.floor(folder / 40)}/file-${index}.ts`;
}
