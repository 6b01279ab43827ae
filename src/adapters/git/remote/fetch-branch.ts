import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sha, type Instant, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Git } from "../../../ports/git.ts";
import { ensureMirror } from "../mirror/ensure-mirror.ts";
import { findCommit, hasCommit, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { branchRef, mirroredRef, updateRef } from "../mirror/refs.ts";
import { askRefs } from "./ask-remote.ts";
import { remoteAccess } from "./remote-access.ts";

/** This is the last question about a branch. While `begunAt` is undefined it still waits for its turn. */
interface Question {
  begunAt: Instant | undefined;
}

interface Asked {
  readonly question: Question;
  readonly tip: Promise<Sha>;
}

/** Lets runs that start together ask once: whoever comes before the question is put shares its answer. */
export function createFetchBranch(git: MirrorGit): Git["fetchBranch"] {
  const lastAsked = new Map<string, Asked>();
  const ask = (repo: RepoName, branch: string): Asked => {
    const question: Question = { begunAt: undefined };
    const tip = git.serialize(repo, () => {
      question.begunAt = git.options.now();
      return fetchBranch(git, repo, branch);
    });
    return { question, tip };
  };
  return (repo, branch, since) => {
    const key = `${repo} ${branch}`;
    const last = lastAsked.get(key);
    if (last !== undefined && answers(last.question, since)) return last.tip;
    const asked = ask(repo, branch);
    lastAsked.set(key, asked);
    asked.tip.catch(() => {
      if (lastAsked.get(key) === asked) lastAsked.delete(key);
    });
    return asked.tip;
  };
}

function answers({ begunAt }: Question, since: Instant | undefined): boolean {
  return begunAt === undefined || (since !== undefined && begunAt >= since);
}

async function fetchBranch(git: MirrorGit, repo: RepoName, branch: string): Promise<Sha> {
  await fetchTips(git, repo, [branch]);
  return readTip(git, repo, mirroredRef(branch));
}

/** Asks one question for all branches. */
export function fetchBranches(
  git: MirrorGit,
  repo: RepoName,
  branches: readonly string[],
): Promise<ReadonlyMap<string, Sha>> {
  return git.serialize(repo, async () => {
    await fetchTips(git, repo, branches);
    const tips = branches.map(
      async (branch) => [branch, await readTip(git, repo, mirroredRef(branch))] as const,
    );
    return new Map(await Promise.all(tips));
  });
}

async function fetchTips(
  git: MirrorGit,
  repo: RepoName,
  branches: readonly string[],
): Promise<void> {
  await ensureMirror(git, repo);
  await markUsed(git.layout.mirror(repo));
  if (await areHere(git, repo, branches)) return;
  const access = await remoteAccess(git, repo);
  const refspecs = branches.map((branch) => `+${branchRef(branch)}:${mirroredRef(branch)}`);
  const quiet = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--progress"];
  await git.expect({ repo, args: ["fetch", ...quiet, access.url, ...refspecs], ...access.extra });
}

/** Tells whether a fetch would bring nothing, because the mirror has the remote's tips from an earlier fetch or push. */
async function areHere(
  git: MirrorGit,
  repo: RepoName,
  branches: readonly string[],
): Promise<boolean> {
  const tips = await askRefs(git, repo, branches.map(branchRef));
  for (const branch of branches) {
    const tip = tips?.get(branchRef(branch));
    if (tip === undefined || !(await isHere(git, repo, { ref: mirroredRef(branch), tip })))
      return false;
  }
  return true;
}

async function isHere(
  git: MirrorGit,
  repo: RepoName,
  { ref, tip }: { readonly ref: string; readonly tip: Sha },
): Promise<boolean> {
  if ((await findCommit(git, repo, ref))?.commit === tip) return true;
  // Any other commit may be in the mirror without its whole history.
  if (!git.pushed.has(tip) || !(await hasCommit(git, repo, tip))) return false;
  await updateRef(git, repo, { ref, commit: tip });
  return true;
}

/** Reads a ref that lies in a file of its own without git, because every run and every look of the train needs it. */
async function readTip(git: MirrorGit, repo: RepoName, ref: string): Promise<Sha> {
  const loose = await readFile(join(git.layout.mirror(repo), ref), "utf8").catch(() => "");
  if (/^[0-9a-f]{40}\n$/.test(loose)) return sha(loose.trim());
  return (await readCommit(git, repo, ref)).commit;
}

/** Marks the mirror as used: mirrors that nobody used for long are deleted. */
async function markUsed(mirror: string): Promise<void> {
  const now = new Date();
  await utimes(mirror, now, now);
}
