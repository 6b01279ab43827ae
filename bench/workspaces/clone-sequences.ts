import type { SampleRepository } from "./sample-repository.ts";

/** Where one workspace goes, and a name that no other has. */
export interface Target {
  readonly path: string;
  readonly id: string;
}

type Sequence = (target: Target) => readonly string[];

/** One git command per task, as other programs of this kind make their workspaces. */
export function cloneSequences({
  remote,
  base,
}: SampleRepository): Readonly<Record<string, Sequence>> {
  const server = `file://${remote}`;
  return {
    "git worktree add": ({ path, id }) => ["worktree", "add", "-B", id, path, base],
    "git worktree add, checkout.workers=4": ({ path, id }) => [
      "-c",
      "checkout.workers=4",
      "worktree",
      "add",
      "-B",
      id,
      path,
      base,
    ],
    "git clone --shared": ({ path }) => ["clone", "--shared", remote, path],
    "git clone --reference": ({ path }) => ["clone", "--reference", remote, server, path],
    "git clone --depth 1": ({ path }) => ["clone", "--depth", "1", server, path],
  };
}
