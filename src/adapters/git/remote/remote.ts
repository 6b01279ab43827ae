import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Git, PushOutcome } from "../../../ports/git.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ensureMirror } from "../mirror/ensure-mirror.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { branchRef } from "../mirror/refs.ts";
import { askRefs, askToDelete } from "./ask-remote.ts";
import { createFetchBranch, fetchBranches } from "./fetch-branch.ts";
import { push, pushCommit } from "./push.ts";
import { remoteAccess } from "./remote-access.ts";

/** Makes the part of the port that talks to the remote. */
export function createRemote(
  git: MirrorGit,
): Pick<
  Git,
  | "fetchBranch"
  | "fetchBranches"
  | "fetchCommit"
  | "pushBranch"
  | "deleteBranch"
  | "remoteBranch"
  | "pullHeads"
  | "stageCommit"
  | "unstage"
> {
  return {
    fetchBranch: createFetchBranch(git),
    fetchBranches: (repo, branches) => fetchBranches(git, repo, branches),
    fetchCommit: (repo, commit) => git.serialize(repo, () => fetchCommit(git, repo, commit)),
    pushBranch: (request) => pushBranch(git, request),
    deleteBranch: (repo, branch) => deleteBranch(git, repo, branch),
    remoteBranch: (repo, branch) => remoteRef(git, repo, branchRef(branch)),
    pullHeads: (repo, pulls) => pullHeads(git, repo, pulls),
    stageCommit: (repo, ref, commit) => stageCommit(git, repo, { ref, commit }),
    unstage: (repo, ref) => deleteRef(git, repo, ref),
  };
}

/** Keeps the commit by a ref of ours, because an object that nothing leads to may be cleaned away. */
async function fetchCommit(git: MirrorGit, repo: RepoName, commit: Sha): Promise<void> {
  await ensureMirror(git, repo);
  const access = await remoteAccess(git, repo);
  const refspec = `+${commit}:refs/wavetrain/fetched/${commit}`;
  const quiet = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  await git.expect({ repo, args: ["fetch", ...quiet, access.url, refspec], ...access.extra });
}

async function pushBranch(
  git: MirrorGit,
  request: Parameters<Git["pushBranch"]>[0],
): Promise<PushOutcome> {
  const ref = branchRef(request.branch);
  const lease = request.expected === "any" ? undefined : `${ref}:${request.expected ?? ""}`;
  return pushCommit(git, request.repo, { lease, ref, commit: request.commit });
}

async function deleteBranch(git: MirrorGit, repo: RepoName, branch: string): Promise<void> {
  await deleteRef(git, repo, branchRef(branch));
}

async function deleteRef(git: MirrorGit, repo: RepoName, ref: string): Promise<void> {
  const tip = await remoteRef(git, repo, ref);
  if (tip === undefined || (await askToDelete(git, repo, { ref, tip }))) return;
  const outcome = await push(git, repo, { lease: `${ref}:${tip}`, refspec: `:${ref}` });
  if (outcome.kind === "pushed") return;
  if ((await remoteRef(git, repo, ref)) === undefined) return;
  throw new AppError("git-failed", `cannot delete ${ref}: ${outcome.reason}`);
}

async function stageCommit(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha },
): Promise<PushOutcome> {
  const tip = await remoteRef(git, repo, ref);
  if (tip === commit) return { kind: "pushed" };
  return pushCommit(git, repo, { lease: `${ref}:${tip ?? ""}`, ref, commit });
}

async function remoteRef(git: MirrorGit, repo: RepoName, ref: string): Promise<Sha | undefined> {
  return (await remoteRefs(git, repo, [ref])).get(ref);
}

async function pullHeads(
  git: MirrorGit,
  repo: RepoName,
  pulls: readonly number[],
): Promise<ReadonlyMap<number, Sha>> {
  const refs = new Map(pulls.map((pull) => [`refs/pull/${pull}/head`, pull]));
  const found = await remoteRefs(git, repo, [...refs.keys()]);
  return new Map(
    [...refs].flatMap(([ref, pull]) => {
      const head = found.get(ref);
      return head === undefined ? [] : [[pull, head] as const];
    }),
  );
}

/** Others may be among the answers: git asks for all refs whose names end like the given ones, we for all that begin like them. */
async function remoteRefs(
  git: MirrorGit,
  repo: RepoName,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Sha>> {
  const answered = await askRefs(git, repo, refs);
  if (answered !== undefined) return answered;
  const access = await remoteAccess(git, repo);
  const listed = await git.call({ repo, ...access.extra }, (typed) =>
    typed.listRemote(["--refs", access.url, ...refs]),
  );
  const lines = listed.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [commit = "", name = ""] = line.split("\t");
      return [name, sha(commit)] as const;
    }),
  );
}
