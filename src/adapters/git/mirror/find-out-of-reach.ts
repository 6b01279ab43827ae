import type { OutOfReach } from "../../../domain/claim/out-of-reach.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { gitFailed } from "../run/run-git.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { lfsRulesFrom } from "./read-attributes.ts";
import type { AttributesLine } from "./read-attributes.ts";

const SUBMODULE = /^160000 commit [0-9a-f]+\t(.+)$/s;

/** Reads the commit's tree in the mirror. Files of Git LFS are within reach of whoever handles them. */
export async function findOutOfReach(
  git: MirrorGit,
  repo: RepoName,
  { commit, handlesLfs }: { readonly commit: Sha; readonly handlesLfs: boolean },
): Promise<OutOfReach> {
  const args = ["ls-tree", "-r", "-d", "-z", "--full-tree", commit];
  const [listed, lines] = await Promise.all([
    git.expect({ repo, args }),
    handlesLfs ? [] : attributesLines(git, repo, commit),
  ]);
  const submodules = listed.split("\0").flatMap((entry) => SUBMODULE.exec(entry)?.[1] ?? []);
  return { submodules, lfs: lfsRulesFrom(lines) };
}

/** Finds the lines about filters in all files of this name. Git ends with 1 where there is none. */
export async function attributesLines(
  git: MirrorGit,
  repo: RepoName,
  /** This may be a commit or a tree. */
  commit: Sha,
): Promise<readonly AttributesLine[]> {
  const where = ["--", ":(glob)**/.gitattributes"];
  const args = ["grep", "-I", "-z", "--full-name", "-e", "filter", commit, ...where];
  const command = { repo, args };
  const found = await git.run(command);
  if (found.code === 1 && found.stderr === "") return [];
  if (found.code !== 0) throw gitFailed(command, found.stderr);
  return found.stdout.split("\n").flatMap((line) => {
    const end = line.indexOf("\0");
    if (end < 0) return [];
    const path = line.slice(commit.length + 1, end);
    return [
      { folder: path.slice(0, Math.max(0, path.lastIndexOf("/"))), text: line.slice(end + 1) },
    ];
  });
}
