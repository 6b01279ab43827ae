import { EXPLORE_REFS } from "../../../domain/exploration.ts";
import { instant, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Leftover } from "../../../ports/leftovers.ts";
import { AppError } from "../../../shared/app-error.ts";
import { groupBy } from "../../../shared/group-by.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { updateRef } from "../mirror/refs.ts";

/** One ref, read: it stands for an evaluation of an attempt at an issue. */
interface KeptEvaluation {
  readonly name: string;
  readonly seconds: number;
}

const PLACE = /^(\d+)\/\d+\/(\d+)\.(\d+)$/;

export async function keepEvaluation(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha },
): Promise<void> {
  if (!ref.startsWith(EXPLORE_REFS) || !PLACE.test(ref.slice(EXPLORE_REFS.length)))
    throw new AppError("git-failed", `not the ref of an evaluation: ${ref}`);
  await git.serialize(repo, () => updateRef(git, repo, { ref, commit }));
}

/** Lists all evaluations, each by the name of its run. */
export async function listEvaluations(git: MirrorGit): Promise<readonly Leftover[]> {
  const repos = await listRepos(git.layout.mirrors, git.aside, ".git");
  return (await Promise.all(repos.map((repo) => evaluationsOf(git, repo).catch(() => [])))).flat();
}

async function evaluationsOf(git: MirrorGit, repo: RepoName): Promise<readonly Leftover[]> {
  const format = "--format=%(refname) %(committerdate:unix)";
  const listed = await git.expect({ repo, args: ["for-each-ref", format, EXPLORE_REFS] });
  const kept = listed.split("\n").flatMap((line) => evaluationFrom(repo, line));
  // A store that was lost counts attempts anew, so two depths may have the name: they go together, when the younger one may.
  return [...groupBy(kept, ({ name }) => name)].map(([name, same]) => ({
    kind: "evaluation",
    repo,
    name,
    at: instant(Math.max(...same.map(({ seconds }) => seconds)) * 1000),
  }));
}

function evaluationFrom(repo: RepoName, line: string): readonly KeptEvaluation[] {
  const [ref = "", seconds = ""] = line.split(" ");
  const place = PLACE.exec(ref.slice(EXPLORE_REFS.length));
  // Such a ref is not one of ours.
  if (place === null) return [];
  const [, issue, attempt, number] = place;
  const name = `${repo.replace("/", ".")}.${issue}.${attempt}.c${number}`;
  return [{ name, seconds: Number(seconds) }];
}

/** The name of a run does not say its depth. */
export async function forgetEvaluation(
  git: MirrorGit,
  repo: RepoName,
  name: string,
): Promise<void> {
  const place = /\.(\d+)\.(\d+)\.c(\d+)$/.exec(name);
  if (place === null) throw new AppError("git-failed", `not the name of an evaluation: ${name}`);
  const [, issue, attempt, number] = place;
  const pattern = `${EXPLORE_REFS}${issue}/*/${attempt}.${number}`;
  await git.serialize(repo, async () => {
    const listed = await git.expect({
      repo,
      args: ["for-each-ref", "--format=%(refname)", pattern],
    });
    const refs = listed.split("\n").filter(Boolean);
    for (const ref of refs) await updateRef(git, repo, { ref, commit: undefined });
  });
}
