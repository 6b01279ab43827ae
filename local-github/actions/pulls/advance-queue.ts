import { readCommit } from "../../git/history.ts";
import { updateRefs } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { verdictOf, worst } from "../../model/checks-of.ts";
import type { Verdict } from "../../model/checks-of.ts";
import type { MergeGroup, MergeQueue, QueueEntry, RemovalReason } from "../../model/merge-queue.ts";
import { branchSha } from "../../model/repository.ts";
import { requiredChecks, rulesFor } from "../../model/requirements.ts";
import { announce } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { followRefs } from "./follow-refs.ts";
import { landingCommit } from "./landing-commit.ts";
import { markMerged } from "./mark-merged.ts";

/** Builds a group for every entry, each on top of the one before it, and lands or removes the first once its checks have spoken. */
export async function advanceQueue(world: World, queue: MergeQueue): Promise<void> {
  for (const entry of [...queue.entries]) {
    const { pull } = entry;
    if (pull.state === "open" && !pull.draft && pull.headSha === entry.headSha) continue;
    await removeEntry(world, entry, { reason: "MANUAL", actor: entry.enqueuer });
  }
  await buildGroups(world, queue);
  const [first] = queue.entries;
  if (first?.group == null) return;
  const said = groupVerdict(world, first, first.group);
  if (said === "missing" || said === "pending") return;
  if (said === "passing") await landGroup(world, first, first.group);
  else await removeEntry(world, first, { reason: "CI_FAILURE", actor: first.enqueuer });
  await advanceQueue(world, queue);
}

async function buildGroups(world: World, queue: MergeQueue): Promise<void> {
  let base = branchSha(queue.repository, queue.branch);
  for (const entry of [...queue.entries]) {
    if (base === undefined) return;
    if (entry.group !== null && entry.group.baseSha !== base) {
      await destroyGroup(world, entry, "invalidated");
    }
    entry.group ??= await buildGroup(world, entry, base);
    if (entry.group === null) {
      await removeEntry(world, entry, { reason: "MERGE_CONFLICT", actor: entry.enqueuer });
    }
    base = entry.group?.headSha ?? base;
  }
}

async function buildGroup(
  world: World,
  entry: QueueEntry,
  base: string,
): Promise<MergeGroup | null> {
  const { pull, repository, enqueuer: actor } = entry;
  const headSha = await landingCommit(world, pull, { method: methodOf(entry), onto: base, actor });
  if (headSha === undefined) return null;
  const commit = await readCommit(repository.dir, headSha);
  if (commit === undefined) throw new Error(`${headSha} was not written`);
  const name = `gh-readonly-queue/${pull.baseRef}/pr-${pull.number}-${base}`;
  const headRef = `refs/heads/${name}`;
  await moveRef(world, entry, { name: headRef, after: headSha });
  const group: MergeGroup = {
    headRef,
    headSha,
    baseSha: base,
    commit: { ...commit, timestamp: commit.committer.date },
  };
  announce(world, {
    name: "merge_group",
    action: "checks_requested",
    repository,
    baseRef: `refs/heads/${pull.baseRef}`,
    group,
    sender: actor,
  });
  return group;
}

function methodOf({ repository, queue }: QueueEntry): "merge" | "squash" | "rebase" {
  const rule = rulesFor(repository, queue.branch).find(({ type }) => type === "merge_queue");
  const method = rule?.parameters?.["merge_method"];
  if (method === "SQUASH") return "squash";
  return method === "REBASE" ? "rebase" : "merge";
}

/** Says how the required checks judge the group's own commit. When no check is required, the group has passed. */
function groupVerdict(world: World, entry: QueueEntry, { headSha: sha }: MergeGroup): Verdict {
  const { repository, queue } = entry;
  const checks = rulesFor(repository, queue.branch).flatMap(requiredChecks);
  if (checks.length === 0) return "passing";
  const said = checks.map(({ context, integration_id: app }) =>
    verdictOf({ world, repository, sha }, context, app),
  );
  return said.includes("missing") && !said.includes("failing") ? "missing" : worst(said);
}

async function landGroup(world: World, entry: QueueEntry, group: MergeGroup): Promise<void> {
  const { pull, repository, enqueuer: actor } = entry;
  const update = {
    name: `refs/heads/${pull.baseRef}`,
    before: group.baseSha,
    after: group.headSha,
  };
  if (!(await updateRefs(repository.dir, [update]))) throw new Error("the base branch moved");
  markMerged(world, pull, { sha: group.headSha, actor });
  await followRefs(world, repository, { updates: [update], actor });
  await removeEntry(world, entry, { reason: "MERGE", actor });
}

/** Takes the entry and its group out of the queue. */
export async function removeEntry(
  world: World,
  entry: QueueEntry,
  { reason, actor }: { readonly reason: RemovalReason; readonly actor: User },
): Promise<void> {
  const { pull, queue } = entry;
  const at = queue.entries.indexOf(entry);
  if (at >= 0) queue.entries.splice(at, 1);
  await destroyGroup(world, entry, reason === "MERGE" ? "merged" : "dequeued");
  announce(world, { name: "pull_request", action: "dequeued", pull, reason, sender: actor });
}

async function destroyGroup(
  world: World,
  entry: QueueEntry,
  reason: "merged" | "invalidated" | "dequeued",
): Promise<void> {
  const { group, repository, pull } = entry;
  if (group === null) return;
  entry.group = null;
  await moveRef(world, entry, { name: group.headRef, after: null });
  announce(world, {
    name: "merge_group",
    action: "destroyed",
    reason,
    repository,
    baseRef: `refs/heads/${pull.baseRef}`,
    group,
    sender: entry.enqueuer,
  });
}

async function moveRef(
  world: World,
  { repository, enqueuer }: QueueEntry,
  { name, after }: { readonly name: string; readonly after: string | null },
): Promise<void> {
  const update = { name, before: repository.refs.get(name) ?? null, after };
  if (!(await updateRefs(repository.dir, [update]))) throw new Error(`cannot move ${name}`);
  await followRefs(world, repository, { updates: [update], actor: enqueuer });
}
