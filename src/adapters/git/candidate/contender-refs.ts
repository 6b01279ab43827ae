import { CONTENDER_REFS } from "../../../domain/contenders.ts";
import { instant, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Leftover } from "../../../ports/leftovers.ts";
import { AppError } from "../../../shared/app-error.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { updateRef } from "../mirror/refs.ts";

export async function keepContender(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha },
): Promise<void> {
  if (!ref.startsWith(CONTENDER_REFS))
    throw new AppError("git-failed", `not the ref of a contender: ${ref}`);
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit }));
}

/** Lists all contenders, each by the name of its run. */
export async function listContenders(git: MirrorGit): Promise<readonly Leftover[]> {
  const repos = await listRepos(git.layout.mirrors, git.aside, ".git");
  return (await Promise.all(repos.map((repo) => contendersOf(git, repo).catch(() => [])))).flat();
}

async function contendersOf(git: MirrorGit, repo: RepoName): Promise<readonly Leftover[]> {
  const format = "--format=%(refname) %(committerdate:unix)";
  const listed = await git.expect({ repo, args: ["for-each-ref", format, CONTENDER_REFS] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [ref = "", seconds = ""] = line.split(" ");
      const [issue, attempt, contender] = ref.slice(CONTENDER_REFS.length).split("/");
      const name = `${repo.replace("/", ".")}.${issue}.${attempt}.c${contender}`;
      return { kind: "contender", repo, name, at: instant(Number(seconds) * 1000) };
    });
}

export async function forgetContender(git: MirrorGit, repo: RepoName, name: string): Promise<void> {
  const place = /\.(\d+)\.(\d+)\.c(\d+)$/.exec(name);
  if (place === null) throw new AppError("git-failed", `not the name of a contender: ${name}`);
  const ref = `${CONTENDER_REFS}${place.slice(1).join("/")}`;
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit: undefined }));
}
