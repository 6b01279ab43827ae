import { instant, isSha, type Instant, type RepoName, type Sha } from "../../../domain/ids.ts";
import { decodedName } from "../../host/folders.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { updateRef } from "../mirror/refs.ts";

/** A rescue is work that was saved from a workspace, on a ref of its repository's mirror. */
export interface Rescue {
  readonly repo: RepoName;
  /** This names the run, or whatever else the workspace was for. */
  readonly id: string;
  readonly commit: Sha;
  /** The work began from this commit. */
  readonly base: Sha;
  readonly at: Instant;
}

export const RESCUE_REFS = "refs/wavetrain/rescue/";

// Dots are encoded too: a ref name may neither hold two of them nor end in ".lock".
export function rescueRef(id: string): string {
  return `${RESCUE_REFS}${encodeURIComponent(id).replaceAll(".", "%2E")}`;
}

/** Lists the rescues of all repositories, newest first. */
export async function listRescues(git: MirrorGit): Promise<readonly Rescue[]> {
  const repos = await listRepos(git.layout.mirrors, git.aside, ".git");
  // A damaged mirror is reported when it is put aside, so the others are listed without it.
  const lists = await Promise.all(repos.map((repo) => rescuesOf(git, repo).catch(() => [])));
  return lists.flat().sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
}

export async function rescuesOf(git: MirrorGit, repo: RepoName): Promise<readonly Rescue[]> {
  const format = "--format=%(refname) %(objectname) %(committerdate:unix) %(parent)";
  const listed = await git.expect({ repo, args: ["for-each-ref", format, RESCUE_REFS] });
  return listed
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      const [ref = "", commit = "", seconds = "", base = ""] = line.split(" ");
      const id = idIn(ref);
      // Such a ref is not one of ours: it has no base, or its name stands for nothing.
      if (id === undefined || !isSha(commit) || !isSha(base)) return [];
      return [{ repo, id, commit, base, at: instant(Number(seconds) * 1000) }];
    });
}

function idIn(ref: string): string | undefined {
  const name = ref.slice(RESCUE_REFS.length).replaceAll("%2E", ".");
  return decodedName(name);
}

export async function forgetRescue(git: MirrorGit, repo: RepoName, id: string): Promise<void> {
  const ref = rescueRef(id);
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit: undefined }));
}
