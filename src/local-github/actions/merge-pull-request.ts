import type { Signature } from "../git/history.ts";
import { commitsBetween } from "../git/history.ts";
import { mergedTree, rebasedHead } from "../git/merge.ts";
import { oneAtATime } from "../git/one-at-a-time.ts";
import { updateRefs } from "../git/refs.ts";
import { writeCommit } from "../git/write-commit.ts";
import type { User } from "../model/account.ts";
import { Problem } from "../model/problem.ts";
import type { PullRequest } from "../model/pull-request.ts";
import { branchSha } from "../model/repository.ts";
import { unmetRequirements } from "../model/requirements.ts";
import type { World } from "../model/world.ts";
import { changeRefsNow } from "./change-refs.ts";
import { followRefs } from "./follow-refs.ts";
import { markMerged } from "./mark-merged.ts";
import { workOutMergeability } from "./mergeability.ts";
import { mergeMessage } from "./merge-message.ts";
import { GITHUB_COMMITTER, signatureOf } from "./signature.ts";

export type MergeMethod = "merge" | "squash" | "rebase";

export interface MergeRequest {
  readonly method: MergeMethod;
  readonly sha?: string;
  readonly title?: string;
  readonly message?: string;
  readonly actor: User;
}

/** Brings a pull request to its base branch and answers the commit; refuses in GitHub's words. */
export async function mergePullRequest(
  world: World,
  pull: PullRequest,
  wanted: MergeRequest,
): Promise<string> {
  return oneAtATime(pull.repository, async () => {
    await workOutMergeability(pull);
    refuseMerge(world, pull, wanted);
    const sha = await landingCommit(world, pull, wanted);
    const update = { name: `refs/heads/${pull.baseRef}`, before: pull.baseSha, after: sha };
    if (!(await updateRefs(pull.repository.dir, [update]))) throw baseMoved();
    markMerged(world, pull, { sha, actor: wanted.actor });
    await followRefs(world, pull.repository, { updates: [update], actor: wanted.actor });
    await deleteHead(world, pull, wanted.actor);
    return sha;
  });
}

export function baseMoved(): Problem {
  return new Problem(405, "Base branch was modified. Review and try the merge again.");
}

function refuseMerge(world: World, pull: PullRequest, wanted: MergeRequest): void {
  if (pull.state === "closed") throw new Problem(405, "Pull Request is not mergeable");
  if (pull.draft) throw new Problem(405, "Pull Request is still a draft");
  if (wanted.sha !== undefined && wanted.sha !== pull.headSha) {
    throw new Problem(409, "Head branch was modified. Review and try the merge again.");
  }
  if (!pull.repository.mergeMethods.has(wanted.method)) throw methodRefused(wanted.method);
  if (pull.mergeability?.mergeable !== true) {
    throw new Problem(405, "Pull Request is not mergeable");
  }
  const unmet = unmetRequirements(world, pull);
  if (unmet.length > 0) {
    throw new Problem(405, `Repository rule violations found\n\n${unmet.join("\n\n")}\n\n`);
  }
}

function methodRefused(method: MergeMethod): Problem {
  const kind = { merge: "Merge commits", squash: "Squash merges", rebase: "Rebase merges" }[method];
  return new Problem(405, `${kind} are not allowed on this repository.`);
}

async function landingCommit(
  world: World,
  pull: PullRequest,
  wanted: MergeRequest,
): Promise<string> {
  const { dir } = pull.repository;
  const committer = { ...GITHUB_COMMITTER, date: nowIso(world) };
  const sha =
    wanted.method === "rebase"
      ? await rebasedHead(dir, { base: pull.baseSha, head: pull.headSha }, committer)
      : await combinedCommit(pull, wanted, committer);
  if (sha === undefined) throw new Problem(405, "Pull Request is not mergeable");
  return sha;
}

async function combinedCommit(
  pull: PullRequest,
  wanted: MergeRequest,
  committer: Signature,
): Promise<string | undefined> {
  const { dir } = pull.repository;
  const tree = await mergedTree(dir, pull.baseSha, pull.headSha);
  if (tree === undefined) return undefined;
  const commits = await commitsBetween(dir, pull.baseSha, pull.headSha);
  return writeCommit(dir, {
    tree,
    parents: wanted.method === "squash" ? [pull.baseSha] : [pull.baseSha, pull.headSha],
    message: mergeMessage(pull, commits, wanted),
    author: signatureOf(wanted.method === "squash" ? pull.author : wanted.actor, committer.date),
    committer,
  });
}

function nowIso(world: World): string {
  return new Date(world.now()).toISOString();
}

async function deleteHead(world: World, pull: PullRequest, actor: User): Promise<void> {
  const { repository } = pull;
  if (!repository.deletesBranchOnMerge) return;
  if (branchSha(repository, pull.headRef) === undefined) return;
  await changeRefsNow(world, repository, {
    changes: [{ name: `refs/heads/${pull.headRef}`, after: null }],
    actor,
  });
}
