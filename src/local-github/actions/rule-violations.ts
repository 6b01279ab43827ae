import { isAncestor } from "../git/history.ts";
import type { RefUpdate } from "../git/refs.ts";
import type { User } from "../model/account.ts";
import { verdictOf } from "../model/checks-of.ts";
import { pullsOf } from "../model/find.ts";
import type { Repository } from "../model/repository.ts";
import { requiredChecks, rulesFor, unmetRequirements } from "../model/requirements.ts";
import type { BranchRule } from "../model/rule.ts";
import type { World } from "../model/world.ts";

/** What the rules say against moving a branch directly (a push or a ref update), in GitHub's words. */
export async function ruleViolations(
  world: World,
  repository: Repository,
  { update, actor }: { readonly update: RefUpdate; readonly actor: User },
): Promise<readonly string[]> {
  const branch = /^refs\/heads\/(.+)$/.exec(update.name)?.[1];
  if (branch === undefined) return [];
  const rules = rulesFor(repository, branch).filter((rule) => !bypasses(world, rule, actor));
  if (rules.length === 0 || landsApprovedHead(world, repository, update)) return [];
  const found = await Promise.all(
    rules.map(async (rule) => violation(world, repository, { rule, update })),
  );
  return found.filter((text) => text !== undefined);
}

function bypasses(world: World, rule: BranchRule, actor: User): boolean {
  return actor === world.app.bot && (rule.bypassAppIds ?? []).includes(world.app.id);
}

/** A branch may advance to the head of a pull request that meets every rule: that is the merge itself. */
function landsApprovedHead(world: World, repository: Repository, update: RefUpdate): boolean {
  return pullsOf(world, repository).some(
    (pull) =>
      pull.state === "open" &&
      `refs/heads/${pull.baseRef}` === update.name &&
      pull.headSha === update.after &&
      unmetRequirements(world, pull).length === 0,
  );
}

async function violation(
  world: World,
  repository: Repository,
  { rule, update }: { readonly rule: BranchRule; readonly update: RefUpdate },
): Promise<string | undefined> {
  switch (rule.type) {
    case "pull_request":
      return "Changes must be made through a pull request.";
    case "merge_queue":
      return "Changes must be made through the merge queue";
    case "update":
      return "Cannot update this protected ref.";
    case "creation":
      return update.before === null
        ? "Cannot create ref due to creations being restricted."
        : undefined;
    case "deletion":
      return update.after === null ? "Cannot delete this protected ref." : undefined;
    case "non_fast_forward":
      return (await rewinds(repository, update)) ? "Cannot force-push to this branch" : undefined;
    case "required_status_checks":
      return missingChecks(world, repository, { rule, update });
    case "required_linear_history":
    case "required_signatures":
      return undefined;
  }
}

async function rewinds(repository: Repository, { before, after }: RefUpdate): Promise<boolean> {
  if (before === null || after === null) return false;
  return !(await isAncestor(repository.dir, before, after));
}

function missingChecks(
  world: World,
  repository: Repository,
  { rule, update }: { readonly rule: BranchRule; readonly update: RefUpdate },
): string | undefined {
  const sha = update.after;
  if (sha === null) return undefined;
  const checks = requiredChecks(rule);
  const unmet = checks.filter(
    ({ context, integration_id: appId }) =>
      verdictOf({ world, repository, sha }, context, appId) !== "passing",
  );
  if (unmet.length === 0) return undefined;
  if (unmet.length === 1) return `Required status check "${unmet[0]?.context ?? ""}" is expected.`;
  return `${unmet.length} of ${checks.length} required status checks are expected.`;
}
