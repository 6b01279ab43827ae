import { instant, sha, type Instant, type RepoName, type Sha } from "../../domain/ids.ts";
import { listRepos } from "./list-repos.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { updateRef } from "./update-ref.ts";

/** Work that was saved from a workspace, on a ref of its repository's mirror. */
export interface Rescue {
  readonly repo: RepoName;
  /** The run, or whatever else the workspace was for. */
  readonly id: string;
  readonly commit: Sha;
  /** What the work began from. */
  readonly base: Sha;
  readonly at: Instant;
}

const PREFIX = "refs/wavetrain/rescue/";

// Dots are encoded too: a ref name may neither hold two of them nor end in ".lock".
export function rescueRef(id: string): string {
  return `${PREFIX}${encodeURIComponent(id).replaceAll(".", "%2E")}`;
}

/** Of all repositories, newest first. */
export async function listRescues(git: MirrorGit): Promise<readonly Rescue[]> {
  const repos = await listRepos(git.layout.mirrors, ".git");
  const lists = await Promise.all(repos.map((repo) => rescuesOf(git, repo)));
  return lists.flat().sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
}

export async function rescuesOf(git: MirrorGit, repo: RepoName): Promise<readonly Rescue[]> {
  const format = "--format=%(refname) %(objectname) %(committerdate:unix) %(parent)";
  const listed = await git.expect({ repo, args: ["for-each-ref", format, PREFIX] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [ref = "", commit = "", seconds = "", base = ""] = line.split(" ");
      return {
        repo,
        id: decodeURIComponent(ref.slice(PREFIX.length)),
        commit: sha(commit),
        base: sha(base),
        at: instant(Number(seconds) * 1000),
      };
    });
}

export async function forgetRescue(git: MirrorGit, repo: RepoName, id: string): Promise<void> {
  const ref = rescueRef(id);
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit: undefined }));
}
