import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

export interface GitCounts {
  /** Git as it was called. */
  readonly commands: number;
  /** Those, and the processes of its own that git started for them. */
  readonly processes: number;
}

/** Counts what is done with the git that `path` finds: numbers without noise, unlike times. */
export interface GitCounter {
  readonly path: string;
  /** Since the last time. */
  take(): Promise<GitCounts>;
}

export async function createGitCounter(folder: string): Promise<GitCounter> {
  const [bin, traces] = [join(folder, "bin"), join(folder, "traces")];
  for (const each of [bin, traces]) await mkdir(each, { recursive: true });
  const path = process.env["PATH"] ?? "";
  // Every git process writes a file of its own into the folder; the app's environment knows nothing of it.
  const script = `#!/bin/sh\nPATH='${path}' GIT_TRACE2_EVENT='${traces}' exec git "$@"\n`;
  await writeFile(join(bin, "git"), script);
  await chmod(join(bin, "git"), 0o755);
  return { path: `${bin}${delimiter}${path}`, take: () => take(traces) };
}

async function take(traces: string): Promise<GitCounts> {
  const files = (await readdir(traces)).map((name) => join(traces, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  await Promise.all(files.map((file) => rm(file)));
  // A process that another one started carries that one's name before its own.
  const commands = texts.filter((text) => !/"sid":"[^"]*\//.test(text.split("\n", 1)[0] ?? ""));
  return { commands: commands.length, processes: files.length };
}
