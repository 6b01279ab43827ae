import { CANDIDATE_REFS } from "../../domain/candidate-ref.ts";
import { instant, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Leftover } from "../../ports/leftovers.ts";
import { AppError } from "../../shared/app-error.ts";
import { listRepos } from "./list-repos.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { updateRef } from "./update-ref.ts";

export async function keepCandidate(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha },
): Promise<void> {
  if (!ref.startsWith(CANDIDATE_REFS))
    throw new AppError("git-failed", `not the ref of a candidate: ${ref}`);
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit }));
}

/** Each by the name of its run. */
export async function listCandidates(git: MirrorGit): Promise<readonly Leftover[]> {
  const repos = await listRepos(git.layout.mirrors, git.aside, ".git");
  return (await Promise.all(repos.map((repo) => candidatesOf(git, repo).catch(() => [])))).flat();
}

async function candidatesOf(git: MirrorGit, repo: RepoName): Promise<readonly Leftover[]> {
  const format = "--format=%(refname) %(committerdate:unix)";
  const listed = await git.expect({ repo, args: ["for-each-ref", format, CANDIDATE_REFS] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [ref = "", seconds = ""] = line.split(" ");
      const [issue, attempt, candidate] = ref.slice(CANDIDATE_REFS.length).split("/");
      const name = `${repo.replace("/", ".")}.${issue}.${attempt}.c${candidate}`;
      return { kind: "candidate", repo, name, at: instant(Number(seconds) * 1000) };
    });
}

export async function forgetCandidate(git: MirrorGit, repo: RepoName, name: string): Promise<void> {
  const place = /\.(\d+)\.(\d+)\.c(\d+)$/.exec(name);
  if (place === null) throw new AppError("git-failed", `not the name of a candidate: ${name}`);
  const ref = `${CANDIDATE_REFS}${place.slice(1).join("/")}`;
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit: undefined }));
}
