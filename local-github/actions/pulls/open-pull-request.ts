import { commitsBetween } from "../../git/history.ts";
import { findFork, pullsOf, threadKey } from "../../model/find.ts";
import { identity } from "../../model/ids.ts";
import { invalid } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { branchSha } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";
import { announce, register } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { newThread } from "../threads/new-thread.ts";
import { refuseLongText } from "../threads/text-limits.ts";
import type { NewThread } from "../threads/new-thread.ts";
import { bringHead } from "./bring-head.ts";
import { readDiffStats } from "./diff-stats.ts";
import { publishHead } from "./pull-state.ts";

export interface NewPullRequest extends NewThread {
  /** It is a branch, or `owner:branch`. */
  readonly head: string;
  readonly base: string;
  readonly draft?: boolean;
}

export async function openPullRequest(
  world: World,
  repository: Repository,
  wanted: NewPullRequest,
): Promise<PullRequest> {
  refuseLongText("pull-request", wanted);
  const ends = await readEnds(world, repository, wanted);
  const stats = await readDiffStats({ repository, ...ends });
  // This is checked again after the reading: two requests for one branch must not both pass.
  refuseSecond(world, repository, ends);
  const thread = newThread(world, repository, { ...wanted, kind: "pull-request" });
  const pull: PullRequest = register(world, {
    ...thread,
    pullId: identity(world, "PR").id,
    ...ends,
    draft: wanted.draft ?? false,
    landing: null,
    stats,
    mergeability: null,
    earlierHeads: [],
    reviews: [],
    lastPush: { by: wanted.actor, afterReviews: 0 },
  });
  world.threads.set(threadKey(repository, pull.number), pull);
  await publishHead(pull, null);
  announce(world, { name: "pull_request", action: "opened", pull, sender: wanted.actor });
  return pull;
}

type Ends = Pick<PullRequest, "headRepository" | "headRef" | "headSha" | "baseRef" | "baseSha">;

async function readEnds(
  world: World,
  repository: Repository,
  wanted: NewPullRequest,
): Promise<Ends> {
  const { headRepository, headRef } = headOf(world, repository, wanted.head);
  const headSha = headRepository && branchSha(headRepository, headRef);
  const baseSha = branchSha(repository, wanted.base);
  if (headRepository === undefined || headSha === undefined) throw refused("head", "invalid");
  if (baseSha === undefined) throw refused("base", "invalid");
  await bringHead(repository, { headRepository, headRef });
  const ends = { headRepository, headRef, headSha, baseRef: wanted.base, baseSha };
  refuseSecond(world, repository, ends);
  if ((await commitsBetween(repository.dir, baseSha, headSha)).length === 0) {
    throw refused("base", "custom", `No commits between ${wanted.base} and ${headRef}`);
  }
  return ends;
}

interface Head {
  readonly headRepository: Repository | undefined;
  readonly headRef: string;
}

function headOf(world: World, repository: Repository, head: string): Head {
  const [owner, branch] = head.includes(":") ? head.split(":", 2) : [undefined, head];
  const own = owner === undefined || owner.toLowerCase() === repository.owner.login.toLowerCase();
  const headRepository = own ? repository : findFork(world, repository, owner);
  return { headRepository, headRef: branch };
}

function refuseSecond(world: World, repository: Repository, ends: Ends): void {
  const present = pullsOf(world, repository).some(
    (pull) =>
      pull.state === "open" &&
      pull.headRepository === ends.headRepository &&
      pull.headRef === ends.headRef &&
      pull.baseRef === ends.baseRef,
  );
  if (!present) return;
  const head = `${ends.headRepository.owner.login}:${ends.headRef}`;
  throw refused("head", "custom", `A pull request already exists for ${head}.`);
}

function refused(field: string, code: "invalid" | "custom", message?: string) {
  return invalid({
    resource: "PullRequest",
    field,
    code,
    ...(message === undefined ? {} : { message }),
  });
}
