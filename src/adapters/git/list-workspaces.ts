import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { slotName } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { namesIn } from "./names-in.ts";

// A runner may have spoilt our note of the base: its workspace can then be closed, but neither compared nor committed.
const NO_COMMIT = sha("0".repeat(40));

export async function listWorkspaces(git: MirrorGit): Promise<readonly Workspace[]> {
  const found: Workspace[] = [];
  const { workspaces } = git.layout;
  for (const owner of await namesIn(workspaces))
    for (const name of await namesIn(join(workspaces, owner)))
      for (const folder of await namesIn(join(workspaces, owner, name)))
        found.push(await readWorkspace(git, slotName(owner, name, folder)));
  return found;
}

async function readWorkspace(
  git: MirrorGit,
  named: Pick<Workspace, "repo" | "id">,
): Promise<Workspace> {
  const slot = git.layout.slot(named.repo, named.id);
  const base = await readFile(slot.base, "utf8")
    .then(sha)
    .catch(() => NO_COMMIT);
  return { ...named, path: slot.tree, base };
}
