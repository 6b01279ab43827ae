import { mkdir } from "node:fs/promises";
import { git } from "./git.ts";

const SETTINGS = [
  ["http.receivepack", "true"],
  // Anyone may fetch a commit by its id, as on GitHub.
  ["uploadpack.allowAnySHA1InWant", "true"],
  ["uploadpack.allowFilter", "true"],
  ["receive.hideRefs", "refs/pull"],
  ["gc.auto", "0"],
  ["merge.directoryRenames", "false"],
] as const;

export async function initBareRepository(dir: string, defaultBranch: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await git(dir, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`]);
  await applySettings(dir);
}

/** Copies the branches and tags of a local repository, which stays as it is, and answers its branch. */
export async function copyBareRepository(dir: string, from: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  // `--no-hardlinks`: nothing done here may ever touch the original's object files.
  await git(dir, ["clone", "--quiet", "--bare", "--no-hardlinks", from, "."]);
  await git(dir, ["remote", "remove", "origin"]);
  await applySettings(dir);
  return git(dir, ["symbolic-ref", "--short", "HEAD"]);
}

async function applySettings(dir: string): Promise<void> {
  for (const [name, value] of SETTINGS) await git(dir, ["config", name, value]);
}
