import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sha, type Instant, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import { branchRef, mirroredRef } from "./branch-ref.ts";
import { ensureMirror } from "./ensure-mirror.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { remoteAccess } from "./remote-access.ts";

/** The last question about a branch; without a beginning it still waits for its turn. */
interface Question {
  begunAt: Instant | undefined;
}

interface Asked {
  readonly question: Question;
  readonly tip: Promise<Sha>;
}

/** Runs that start together ask once: whoever comes before the question was put shares its answer. */
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

/** One question for all of them. */
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
  const access = await remoteAccess(git, repo);
  const refspecs = branches.map((branch) => `+${branchRef(branch)}:${mirroredRef(branch)}`);
  const quiet = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--progress"];
  await git.expect({ repo, args: ["fetch", ...quiet, access.url, ...refspecs], ...access.extra });
  await markUsed(git.layout.mirror(repo));
}

/** A ref that lies in a file of its own is read without git: this happens for every run, and each look of the train. */
async function readTip(git: MirrorGit, repo: RepoName, ref: string): Promise<Sha> {
  const loose = await readFile(join(git.layout.mirror(repo), ref), "utf8").catch(() => "");
  if (/^[0-9a-f]{40}\n$/.test(loose)) return sha(loose.trim());
  return sha((await git.expect({ repo, args: ["rev-parse", "--verify", ref] })).trim());
}

/** How long a mirror was not used decides when it goes. */
async function markUsed(mirror: string): Promise<void> {
  const now = new Date();
  await utimes(mirror, now, now);
}
