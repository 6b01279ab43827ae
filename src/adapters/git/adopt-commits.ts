import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { initBare } from "./ensure-mirror.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { removeFolder } from "./remove-folder.ts";
import { readRunnerCommits } from "./runner-commits.ts";

export interface Adopted {
  /** In the mirror now; together with their ancestors they are all that the runner committed. */
  readonly commits: readonly Sha[];
  /** Named by the runner's branches, but damaged or incomplete. */
  readonly lost: readonly Sha[];
}

/** A repository of ours that only borrows the runner's objects: no setting of the runner's is read. */
interface Passage {
  readonly git: MirrorGit;
  readonly repo: RepoName;
  readonly path: string;
}

/** Brings commits that the runner made by itself into the mirror; git checks every object on the way. */
export async function adoptCommits(git: MirrorGit, workspace: Workspace): Promise<Adopted> {
  const { repo, base } = workspace;
  const { named, objects } = await readRunnerCommits(git.layout.slot(repo, workspace.id));
  if (named.every((commit) => commit === base)) return { commits: [], lost: [] };
  await mkdir(git.layout.trash, { recursive: true });
  const passage = { git, repo, path: await mkdtemp(join(git.layout.trash, "passage-")) };
  try {
    await openPassage(passage, objects);
    const tips = await tipsOf(passage, await existingCommits(passage, named), base);
    const arrived = await Promise.all(tips.map((tip) => fetchCommit(passage, tip)));
    return {
      commits: tips.filter((_tip, index) => arrived[index]),
      lost: tips.filter((_tip, index) => !arrived[index]),
    };
  } finally {
    await removeFolder(passage.path);
  }
}

async function openPassage(passage: Passage, objects: readonly string[]): Promise<void> {
  const { git, repo, path } = passage;
  await initBare(git, repo, path);
  await mkdir(join(path, "objects", "info"), { recursive: true });
  const borrowed = [join(git.layout.mirror(repo), "objects"), ...objects];
  await writeFile(join(path, "objects", "info", "alternates"), `${borrowed.join("\n")}\n`);
}

async function existingCommits(passage: Passage, named: readonly Sha[]): Promise<readonly Sha[]> {
  const checked = await passage.git.expect({
    repo: passage.repo,
    args: ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    env: { GIT_DIR: passage.path },
    input: `${named.join("\n")}\n`,
  });
  return checked
    .split("\n")
    .filter((line) => line.startsWith("commit "))
    .map((line) => sha(line.slice("commit ".length)));
}

/** Those that are neither in the base nor in another one's history; all of them when the history has holes. */
async function tipsOf(
  passage: Passage,
  commits: readonly Sha[],
  base: Sha,
): Promise<readonly Sha[]> {
  const independent = await passage.git.run({
    repo: passage.repo,
    args: ["merge-base", "--independent", base, ...commits],
    env: { GIT_DIR: passage.path },
  });
  const tips = independent.code === 0 ? independent.stdout.split("\n") : commits;
  return tips.filter((tip) => tip !== "" && tip !== base).map(sha);
}

async function fetchCommit(passage: Passage, commit: Sha): Promise<boolean> {
  const result = await passage.git.run({
    repo: passage.repo,
    args: ["fetch", "--no-tags", "--no-write-fetch-head", passage.path, commit],
  });
  return result.code === 0;
}
