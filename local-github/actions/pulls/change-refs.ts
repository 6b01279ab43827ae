import { isAncestor } from "../../git/history.ts";
import { oneAtATime } from "../../git/one-at-a-time.ts";
import { listRefs, updateRefs } from "../../git/refs.ts";
import type { RefUpdate } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { Problem } from "../../model/problem.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { followRefs } from "./follow-refs.ts";
import { refuseWorkflow } from "./refuse-workflow.ts";
import { isHeldBy, ruleViolations } from "./rule-violations.ts";

export interface RefChange {
  /** This is the full name, such as `refs/heads/main`. */
  readonly name: string;
  /** The ref must be at this commit now; `null` means that it must not exist, undefined that it may be anywhere. */
  readonly before?: string | null;
  /** `null` deletes the ref. */
  readonly after: string | null;
  readonly force?: boolean;
}

export interface RefChanges {
  readonly changes: readonly RefChange[];
  readonly actor: User;
  /** When true, the one who asks may not change workflow files. */
  readonly noWorkflows?: boolean;
}

/** Moves refs in one transaction, if rules and expectations allow it, and does what follows from it. */
export async function changeRefs(
  world: World,
  repository: Repository,
  wanted: RefChanges,
): Promise<void> {
  await oneAtATime(repository, async () => changeRefsNow(world, repository, wanted));
}

/** Does the same for callers that already work on this repository one at a time. */
export async function changeRefsNow(
  world: World,
  repository: Repository,
  { changes, actor, noWorkflows }: RefChanges,
): Promise<void> {
  const updates: RefUpdate[] = [];
  for (const change of changes) {
    const update = { ...change, before: repository.refs.get(change.name) ?? null };
    await refuseChange(repository, change, update);
    const violations = await ruleViolations(world, repository, { update, actor });
    if (violations.length > 0) throw brokenRules(violations);
    const { before, after } = update;
    if (noWorkflows === true && after !== null) await refuseWorkflow(repository, { before, after });
    updates.push(update);
  }
  if (!(await updateRefs(repository.dir, updates))) {
    throw new Problem(422, "Reference cannot be updated");
  }
  await followRefs(world, repository, { updates, actor });
}

async function refuseChange(
  repository: Repository,
  change: RefChange,
  update: RefUpdate,
): Promise<void> {
  if (change.before !== undefined && change.before !== update.before) {
    const message = `Reference update failed: ${change.name} is not at the expected commit`;
    throw new Problem(422, message, { graphqlType: "STALE_DATA" });
  }
  if (change.force === true || update.before === null || update.after === null) return;
  if (!(await isAncestor(repository.dir, update.before, update.after))) {
    throw new Problem(422, "Update is not a fast forward");
  }
}

export function brokenRules(violations: readonly string[]): Problem {
  return new Problem(422, `Repository rule violations found\n\n${violations.join("\n\n")}\n\n`, {
    graphqlType: "BRANCH_PROTECTION_RULE_VIOLATION",
  });
}

/** Learns which refs moved after someone else changed the bare repository (git push), and does what follows from it. */
export async function syncRefs(world: World, repository: Repository, actor: User): Promise<void> {
  const now = await listRefs(repository.dir);
  const names = new Set([...repository.refs.keys(), ...now.keys()]);
  const updates = [...names]
    .map((name) => ({
      name,
      before: repository.refs.get(name) ?? null,
      after: now.get(name) ?? null,
    }))
    .filter(({ before, after }) => before !== after);
  if (updates.length > 0) await followRefs(world, repository, { updates, actor });
}

/** Says which rules a push breaks, as far as that can be judged before its commits are here. */
export async function brokenRulesFor(
  world: World,
  repository: Repository,
  { updates, actor }: { readonly updates: readonly RefUpdate[]; readonly actor: User },
): Promise<{ refused: string[]; reason: string; noRewind: string[] }> {
  const refused: string[] = [];
  const reasons: string[] = [];
  const noRewind: string[] = [];
  for (const update of updates) {
    const subject = { update, actor };
    const found = await ruleViolations(world, repository, { ...subject, unseen: true });
    if (found.length > 0) refused.push(update.name);
    reasons.push(...found.map((reason) => `- ${reason}`));
    if (isHeldBy(world, repository, { ...subject, type: "non_fast_forward" })) {
      noRewind.push(update.name);
    }
  }
  return { refused, reason: reasons.join("\n"), noRewind };
}
