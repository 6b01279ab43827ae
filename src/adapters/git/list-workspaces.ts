import { readFile } from "node:fs/promises";
import { sha, type RepoName } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { decodedName, foldersIn } from "../folders-in.ts";
import { listRepos } from "./list-repos.ts";
import type { MirrorGit } from "./mirror-git.ts";

// A runner may have spoilt our note of the base: its workspace can then be closed, but neither compared nor committed.
const NO_COMMIT = sha("0".repeat(40));

export async function listWorkspaces(git: MirrorGit): Promise<readonly Workspace[]> {
  const found: Workspace[] = [];
  const { aside, layout } = git;
  for (const repo of await listRepos(layout.workspaces, aside))
    for (const id of await foldersIn(layout.slots(repo), { aside, read: decodedName }))
      found.push(await readWorkspace(git, repo, id));
  return found;
}

async function readWorkspace(git: MirrorGit, repo: RepoName, id: string): Promise<Workspace> {
  const slot = git.layout.slot(repo, id);
  const base = await readFile(slot.base, "utf8")
    .then(sha)
    .catch(() => NO_COMMIT);
  return { repo, id, path: slot.tree, base };
}
