import { access, mkdir, mkdtemp, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Makes the bare mirror on first use. Callers must have the repository's turn in the queue. */
export async function ensureMirror(git: MirrorGit, repo: RepoName): Promise<void> {
  const mirror = git.layout.mirror(repo);
  if (await exists(mirror)) return;
  await mkdir(git.layout.trash, { recursive: true });
  await mkdir(dirname(mirror), { recursive: true });
  const fresh = await mkdtemp(join(git.layout.trash, "mirror-"));
  await initBare(git, repo, fresh);
  // It is renamed only when it is whole, so a crash in between leaves no half-made mirror behind.
  await rename(fresh, mirror);
}

/** Makes an empty bare repository with neither template nor hooks. */
export async function initBare(git: MirrorGit, repo: RepoName, path: string): Promise<void> {
  await git.call({ repo, env: { GIT_DIR: path } }, (typed) => typed.init(true, ["--template="]));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
