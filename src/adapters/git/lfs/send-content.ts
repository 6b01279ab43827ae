import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { PushOutcome } from "../../../ports/git.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { MIRRORED_REFS } from "../mirror/refs.ts";
import { forgetLogs } from "./fetch-content.ts";
import { handlesLfs, transferPlace } from "./git-lfs.ts";
import { lfsFilesOf } from "./lfs-files.ts";
import { wordsOfLfs } from "./words-of-lfs.ts";

type Refused = Extract<PushOutcome, { readonly kind: "rejected" }>;

/**
 * Sends the content that the remote lacks, as git-lfs does before a push: it also asks whether somebody has locked a file. Returns
 * the refusal, after which nothing may be pushed: GitHub refuses pointers without content anyway.
 */
export async function sendContent(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha },
): Promise<Refused | undefined> {
  if (!(await handlesLfs(git, repo))) return undefined;
  if ((await lfsFilesOf(git, repo, commit)).length === 0) return undefined;
  const place = await transferPlace(git, repo);
  const known = await knownBelow(git, repo, commit);
  const result = await git.run({
    ...place,
    args: ["lfs", "pre-push", "origin", git.options.remoteUrl(repo)],
    input: `${ref} ${commit} ${ref} ${known}\n`,
  });
  if (result.code === 0) return undefined;
  await forgetLogs(git, repo);
  const reason = `files that Git LFS keeps cannot be uploaded: ${wordsOfLfs(result, place)}`;
  return { kind: "rejected", reason };
}

/** Finds a commit that the remote has, so that git-lfs does not look through the whole history. */
async function knownBelow(git: MirrorGit, repo: RepoName, commit: Sha): Promise<string> {
  const range = ["--boundary", "--topo-order", commit, "--not", `--glob=${MIRRORED_REFS}*`];
  const listed = await git.expect({ repo, args: ["rev-list", ...range] });
  const boundary = listed.split("\n").find((line) => line.startsWith("-"));
  return boundary?.slice(1) ?? "0".repeat(commit.length);
}
