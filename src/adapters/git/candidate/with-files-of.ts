import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { FilesOf } from "../../../ports/git.ts";
import { commitTree, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorCommand, MirrorGit } from "../mirror/mirror-git.ts";
import { pathFrom, QUOTING } from "../mirror/quoted-path.ts";
import { gitFailed } from "../run/run-git.ts";

// The same input must give the same commit in every version of the app.
const MESSAGE = "take the files that judge from the base";

/** Says what `from` has at a path where `commit` has something else. */
interface Difference {
  readonly path: string;
  /** This puts it into an index, or takes the path out. */
  readonly line: string;
}

/** Works on objects alone: neither attributes nor filters change what is judged by. */
export async function withFilesOf(
  git: MirrorGit,
  repo: RepoName,
  { commit, from, matches }: FilesOf,
): Promise<Sha> {
  const { committedAt } = await readCommit(git, repo, commit);
  const differences = await differencesOf(git, repo, { commit, from });
  const lines = differences.flatMap(({ path, line }) => (matches(path) ? [line] : []));
  if (lines.length === 0) return commit;
  const tree = await treeWith(git, repo, { commit, lines });
  const identity = { ...(await git.identity(repo)), at: committedAt };
  return commitTree(git, { repo, tree, parents: [commit], message: MESSAGE, identity });
}

async function differencesOf(
  git: MirrorGit,
  repo: RepoName,
  { commit, from }: Pick<FilesOf, "commit" | "from">,
): Promise<readonly Difference[]> {
  // A `.gitmodules` may ask git to say nothing of a submodule.
  const flags = ["-r", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const command: MirrorCommand = {
    repo,
    args: ["diff-tree", ...flags, commit, from],
    config: QUOTING,
  };
  const listed = await git.expect(command);
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [, mode, object, written] =
        /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) \w\t(.+)$/.exec(line) ?? [];
      // One that was passed over would leave the change's own file in its place.
      if (mode === undefined || object === undefined || written === undefined)
        throw gitFailed(command, `not understood: ${line}`);
      return { path: pathFrom(written), line: `${mode} ${object}\t${written}\n` };
    });
}

/** Git takes out of an index whatever is in the way of what is put in: a file or a link for a folder, and a folder for a file. */
async function treeWith(
  git: MirrorGit,
  repo: RepoName,
  { commit, lines }: { readonly commit: Sha; readonly lines: readonly string[] },
): Promise<Sha> {
  await mkdir(git.layout.trash, { recursive: true });
  const folder = await mkdtemp(join(git.layout.trash, "judge-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await git.expect({ repo, env, args: ["read-tree", commit] });
    const input = lines.join("");
    await git.expect({ repo, env, args: ["update-index", "--index-info"], input });
    return sha((await git.expect({ repo, env, args: ["write-tree"] })).trim());
  } finally {
    await git.aside.remove(folder);
  }
}
