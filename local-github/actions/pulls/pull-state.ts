import { readFilePatches } from "../../git/diff.ts";
import { mergeBase } from "../../git/history.ts";
import { updateRefs } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { branchSha } from "../../model/repository.ts";
import { rulesFor } from "../../model/requirements.ts";
import { announce, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { editText, shut, unshut } from "../threads/issues.ts";
import type { TextEdit } from "../threads/issues.ts";
import { record } from "../threads/timeline.ts";
import { bringHead } from "./bring-head.ts";
import { readDiffStats } from "./diff-stats.ts";
import { dismissReview } from "./reviews.ts";

export function closePullRequest(world: World, pull: PullRequest, actor: User): void {
  if (pull.state === "closed") return;
  shut(world, pull, actor);
  record(world, pull, { actor, what: { event: "closed", reason: null, commitSha: null } });
  announce(world, { name: "pull_request", action: "closed", pull, sender: actor });
}

export function reopenPullRequest(world: World, pull: PullRequest, actor: User): void {
  if (pull.state === "open") return;
  if (pull.landing !== null || branchSha(pull.headRepository, pull.headRef) === undefined) {
    throw new Problem(422, "Validation Failed", {
      errors: [{ resource: "PullRequest", field: "state", code: "invalid" }],
    });
  }
  unshut(world, pull);
  record(world, pull, { actor, what: { event: "reopened", reason: null } });
  announce(world, { name: "pull_request", action: "reopened", pull, sender: actor });
}

export function editPullRequest(world: World, pull: PullRequest, edit: TextEdit): void {
  const changes = editText(world, pull, edit);
  if (changes === undefined) return;
  announce(world, { name: "pull_request", action: "edited", pull, changes, sender: edit.actor });
}

export function setDraft(
  world: World,
  pull: PullRequest,
  { draft, actor }: { readonly draft: boolean; readonly actor: User },
): void {
  if (pull.draft === draft) return;
  pull.draft = draft;
  pull.updatedAt = stamp(world);
  const action = draft ? "converted_to_draft" : "ready_for_review";
  announce(world, { name: "pull_request", action, pull, sender: actor });
}

/** The head branch moved: the pull request follows, also under `refs/pull/N/head`. */
export async function moveHead(
  world: World,
  pull: PullRequest,
  { sha, actor }: { readonly sha: string; readonly actor: User },
): Promise<void> {
  const before = pull.headSha;
  if (before === sha) return;
  await bringHead(pull.repository, pull);
  pull.earlierHeads.push(pull.headSha);
  pull.headSha = sha;
  pull.updatedAt = stamp(world);
  pull.stats = await readDiffStats(pull);
  await publishHead(pull, before);
  announce(world, { name: "pull_request", action: "synchronize", pull, before, sender: actor });
  if (await isSameDiff(pull, before)) return;
  pull.lastPush = { by: actor, afterReviews: pull.reviews.length };
  dismissStaleReviews(world, pull, actor);
}

/** A push that leaves the diff as it was, such as a rebase, takes no approval back. */
async function isSameDiff(pull: PullRequest, before: string): Promise<boolean> {
  const { repository, baseSha, headSha } = pull;
  const patchesOf = async (head: string): Promise<string> => {
    const from = (await mergeBase(repository.dir, baseSha, head)) ?? baseSha;
    const patches = await readFilePatches(repository.dir, from, head);
    return JSON.stringify(patches.map(({ path, status, lines }) => [path, status, lines]));
  };
  return (await patchesOf(before)) === (await patchesOf(headSha));
}

export async function publishHead(pull: PullRequest, before: string | null): Promise<void> {
  const name = `refs/pull/${pull.number}/head`;
  await updateRefs(pull.repository.dir, [{ name, before, after: pull.headSha }]);
  pull.repository.refs.set(name, pull.headSha);
}

function dismissStaleReviews(world: World, pull: PullRequest, actor: User): void {
  const dismisses = rulesFor(pull.repository, pull.baseRef).some(
    (rule) => rule.parameters?.["dismiss_stale_reviews_on_push"] === true,
  );
  if (!dismisses) return;
  for (const review of pull.reviews) {
    if (review.state === "APPROVED") dismissReview(world, review, actor);
  }
}
