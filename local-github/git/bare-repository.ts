import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.ts";
import { installPushGuard } from "./push-guard.ts";

// Anyone may fetch a commit by its id, as on GitHub; `refs/pull` is for reading only.
const SETTINGS = `[http]
	receivepack = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[receive]
	hideRefs = refs/pull
[gc]
	auto = 0
[merge]
	directoryRenames = false
`;

export async function initBareRepository(dir: string, defaultBranch: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await git(dir, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`]);
  await applySettings(dir);
}

/** Git may not refuse a folder that belongs to another user, as mounted ones do: the person asked for this very folder. */
const ANY_OWNER = ["-c", "safe.directory=*"];

/** Copies the branches and tags of a local repository, which stays as it is, and answers its current branch. */
export async function copyBareRepository(dir: string, from: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  // With `--no-hardlinks` nothing done here can ever touch the original's object files.
  const clone = ["clone", "--quiet", "--bare", "--no-hardlinks"];
  await git(dir, [
    ...ANY_OWNER,
    ...clone,
    "-u",
    `git ${ANY_OWNER.join(" ")} upload-pack`,
    from,
    ".",
  ]);
  await git(dir, ["remote", "remove", "origin"]);
  await applySettings(dir);
  return git(dir, ["symbolic-ref", "--short", "HEAD"]);
}

/** Applies the settings by writing files: a process for each setting would be most of the cost of a repository. */
async function applySettings(dir: string): Promise<void> {
  await appendFile(join(dir, "config"), SETTINGS);
  await installPushGuard(dir);
}
