import { oneAtATime } from "../../git/one-at-a-time.ts";
import { updateRefs } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { branchSha } from "../../model/repository.ts";
import { rulesFor, unmetRequirements } from "../../model/requirements.ts";
import type { BranchRule } from "../../model/rule.ts";
import type { World } from "../../model/world.ts";
import { changeRefsNow } from "./change-refs.ts";
import { followRefs } from "./follow-refs.ts";
import { landingCommit } from "./landing-commit.ts";
import type { MergeMethod } from "./landing-commit.ts";
import { markMerged } from "./mark-merged.ts";
import { workOutMergeability } from "./mergeability.ts";
import { refuseWorkflow } from "./refuse-workflow.ts";
import { NO_MERGE_COMMITS, bypasses } from "./rule-violations.ts";

export interface MergeRequest {
  readonly method: MergeMethod;
  readonly sha?: string;
  readonly title?: string;
  readonly message?: string;
  /** When true, the one who asks may not change workflow files. */
  readonly noWorkflows?: boolean;
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
    const sha = await landingCommit(world, pull, { ...wanted, onto: pull.baseSha });
    if (sha === undefined) throw new Problem(405, "Pull Request is not mergeable");
    if (wanted.noWorkflows === true) {
      await refuseWorkflow(pull.repository, { before: pull.baseSha, after: sha });
    }
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
  const unmet = unmetBy(world, pull, wanted);
  if (unmet.length > 0) {
    throw new Problem(405, `Repository rule violations found\n\n${unmet.join("\n\n")}\n\n`);
  }
}

function unmetBy(world: World, pull: PullRequest, wanted: MergeRequest): readonly string[] {
  const { repository } = pull;
  const holds = (rule: BranchRule): boolean =>
    rule.type !== "update" || !bypasses({ world, repository }, rule, wanted.actor);
  const merges = wanted.method === "merge" && isLinear(pull) ? [NO_MERGE_COMMITS] : [];
  return [...unmetRequirements(world, pull, holds), ...merges];
}

function isLinear({ repository, baseRef }: PullRequest): boolean {
  return rulesFor(repository, baseRef).some(({ type }) => type === "required_linear_history");
}

function methodRefused(method: MergeMethod): Problem {
  const kind = { merge: "Merge commits", squash: "Squash merges", rebase: "Rebase merges" }[method];
  return new Problem(405, `${kind} are not allowed on this repository.`);
}

async function deleteHead(world: World, pull: PullRequest, actor: User): Promise<void> {
  const { repository } = pull;
  if (!repository.deletesBranchOnMerge || pull.headRepository !== repository) return;
  if (branchSha(repository, pull.headRef) === undefined) return;
  await changeRefsNow(world, repository, {
    changes: [{ name: `refs/heads/${pull.headRef}`, after: null }],
    actor,
  });
}
