import { isAncestor } from "../../git/history.ts";
import { pushedCommits } from "../../git/pushed-commits.ts";
import type { RefUpdate } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { closingReferences } from "../../model/closing-references.ts";
import type { PushedCommit } from "../../model/event.ts";
import { pullsOf } from "../../model/find.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { branchSha } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";
import { announce, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { closeIssue } from "../threads/issues.ts";
import { markMerged } from "./mark-merged.ts";
import { closePullRequest, moveHead } from "./pull-state.ts";

/** Describes one ref that moved, and who moved it. */
interface Move extends RefUpdate {
  readonly world: World;
  readonly repository: Repository;
  readonly actor: User;
  /** It is undefined for tags and hidden refs. */
  readonly branch: string | undefined;
}

/**
 * Does what GitHub does after refs moved: tells of the push, moves the heads of pull requests, closes those
 * whose branch is gone, and marks those merged that the base branch now contains.
 */
export async function followRefs(
  world: World,
  repository: Repository,
  movement: { readonly updates: readonly RefUpdate[]; readonly actor: User },
): Promise<void> {
  const moves = movement.updates.map((update): Move => ({
    ...update,
    world,
    repository,
    actor: movement.actor,
    branch: /^refs\/heads\/(.+)$/.exec(update.name)?.[1],
  }));
  for (const { name, after } of moves) {
    if (after === null) repository.refs.delete(name);
    else repository.refs.set(name, after);
  }
  repository.pushedAt = stamp(world);
  for (const move of moves) await tellPush(move);
  const movedAlong = new Set(moves.flatMap(pullsFrom));
  for (const move of moves) await moveHeads(move);
  for (const move of moves) await moveBases(move, movedAlong);
}

async function tellPush(move: Move): Promise<void> {
  const { world, repository, name, before, after } = move;
  if (move.branch === undefined && !name.startsWith("refs/tags/")) return;
  const since = before ?? branchSha(repository, repository.defaultBranch) ?? null;
  const commits =
    after === null
      ? []
      : await pushedCommits(repository.dir, since === after ? null : since, after);
  const forced =
    before !== null && after !== null && !(await isAncestor(repository.dir, before, after));
  announce(world, {
    name: "push",
    action: null,
    repository,
    ref: name,
    before,
    after,
    forced,
    commits: commits.map(({ commit, ...paths }): PushedCommit => ({
      id: commit.sha,
      tree: commit.tree,
      message: commit.message,
      timestamp: commit.committer.date,
      author: commit.author,
      committer: commit.committer,
      ...paths,
    })),
    sender: move.actor,
  });
  if (move.branch === repository.defaultBranch) closeByKeyword(move, commits);
}

function closeByKeyword(
  { world, repository, actor }: Move,
  commits: readonly { readonly commit: { readonly sha: string; readonly message: string } }[],
): void {
  for (const { commit } of commits) {
    for (const issue of closingReferences(world, repository, commit.message)) {
      closeIssue(world, issue, { actor, commitSha: commit.sha });
    }
  }
}

async function moveHeads(move: Move): Promise<void> {
  for (const pull of pullsFrom(move)) {
    if (move.after === null) closePullRequest(move.world, pull, move.actor);
    else await moveHead(move.world, pull, { sha: move.after, actor: move.actor });
  }
}

/** Closes a pull request whose head came to the base in the same transaction: its head was never seen apart from the base. */
async function moveBases(move: Move, movedAlong: ReadonlySet<PullRequest>): Promise<void> {
  const { world, actor, after } = move;
  for (const pull of pullsOnto(move)) {
    if (after === null) {
      closePullRequest(world, pull, actor);
      continue;
    }
    pull.baseSha = after;
    if (!(await isAncestor(move.repository.dir, pull.headSha, after))) continue;
    if (movedAlong.has(pull)) closePullRequest(world, pull, actor);
    else markMerged(world, pull, { sha: after, actor });
  }
}

/** Finds the open pull requests whose head is this branch, also those that come from a fork. */
function pullsFrom({ world, repository, branch }: Move): readonly PullRequest[] {
  const into = [repository, ...(repository.forkOf === null ? [] : [repository.forkOf])];
  return into
    .flatMap((one) => pullsOf(world, one))
    .filter(
      (pull) =>
        pull.state === "open" && pull.headRepository === repository && pull.headRef === branch,
    );
}

function pullsOnto({ world, repository, branch }: Move): readonly PullRequest[] {
  return pullsOf(world, repository).filter(
    (pull) => pull.state === "open" && pull.baseRef === branch,
  );
}
