import { join, resolve } from "node:path";
import type { Workspace } from "../../ports/git.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Told from where we put things, never from the workspace's `.git`: a runner could have made that point anywhere. */
export function pathsBehind({ layout }: MirrorGit, { repo, id }: Workspace): readonly string[] {
  const objects = join(layout.mirror(repo), "objects");
  return [layout.slot(repo, id).repository, objects].map((path) => resolve(path));
}
