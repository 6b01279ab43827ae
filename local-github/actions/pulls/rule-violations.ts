import { commitsBetween, isAncestor } from "../../git/history.ts";
import type { RefUpdate } from "../../git/refs.ts";
import type { User } from "../../model/account.ts";
import { verdictOf } from "../../model/checks-of.ts";
import { pullsOf, roleOf } from "../../model/find.ts";
import type { Repository } from "../../model/repository.ts";
import { requiredChecks, rulesFor, unmetRequirements } from "../../model/requirements.ts";
import type { BranchRule, RuleType } from "../../model/rule.ts";
import type { World } from "../../model/world.ts";

interface Subject {
  readonly update: RefUpdate;
  readonly actor: User;
  /** When true, the commits are still on their way (a push), and rules that need them are not judged here. */
  readonly unseen?: boolean;
}

const NEED_COMMITS: ReadonlySet<RuleType> = new Set([
  "non_fast_forward",
  "required_linear_history",
]);

/** Lists, in GitHub's words, the rules that forbid moving a branch directly (by a push or a ref update). */
export async function ruleViolations(
  world: World,
  repository: Repository,
  subject: Subject,
): Promise<readonly string[]> {
  const { update } = subject;
  const rules = rulesOn(world, repository, subject).filter(
    ({ type }) => subject.unseen !== true || !NEED_COMMITS.has(type),
  );
  // Classic protection is taken to let nothing past it, not even the head of a pull request that meets it.
  const lands = landsApprovedHead(world, repository, update);
  const holding = rules.filter(
    ({ classic, type }) => classic === true || type === "required_linear_history" || !lands,
  );
  const found = await Promise.all(
    holding.map(async (rule) => violation(world, repository, { rule, update })),
  );
  return found.filter((text) => text !== undefined);
}

export function isHeldBy(
  world: World,
  repository: Repository,
  subject: Subject & { readonly type: RuleType },
): boolean {
  return rulesOn(world, repository, subject).some(({ type }) => type === subject.type);
}

function rulesOn(
  world: World,
  repository: Repository,
  { update, actor }: Subject,
): readonly BranchRule[] {
  const branch = /^refs\/heads\/(.+)$/.exec(update.name)?.[1];
  if (branch === undefined) return [];
  return rulesFor(repository, branch).filter(
    (rule) => !bypasses({ world, repository }, rule, actor),
  );
}

export function bypasses(
  { world, repository }: { readonly world: World; readonly repository: Repository },
  rule: BranchRule,
  actor: User,
): boolean {
  if (rule.sparesAdmins === true && roleOf(repository, actor) === "admin") return true;
  if (actor === world.app.bot) return (rule.bypassAppIds ?? []).includes(world.app.id);
  return (rule.bypassLogins ?? []).includes(actor.login);
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

interface Judged {
  readonly rule: BranchRule;
  readonly update: RefUpdate;
}

async function violation(
  world: World,
  repository: Repository,
  judged: Judged,
): Promise<string | undefined> {
  const { rule, update } = judged;
  if (rule.type === "required_status_checks") return missingChecks(world, repository, judged);
  if (rule.type === "non_fast_forward") {
    return (await rewinds(repository, update)) ? "Cannot force-push to this branch" : undefined;
  }
  if (rule.type === "required_linear_history") {
    return (await bringsMerges(repository, update)) ? NO_MERGE_COMMITS : undefined;
  }
  return FORBIDS[rule.type](update);
}

export const NO_MERGE_COMMITS = "This branch must not contain merge commits.";

async function bringsMerges(
  repository: Repository,
  { before, after }: RefUpdate,
): Promise<boolean> {
  if (before === null || after === null) return false;
  const commits = await commitsBetween(repository.dir, before, after);
  return commits.some(({ parents }) => parents.length > 1);
}

/** Holds the refusals of the rules that can be judged by the update alone. */
const FORBIDS = {
  pull_request: () => "Changes must be made through a pull request.",
  merge_queue: () => "Changes must be made through the merge queue",
  update: () => "Cannot update this protected ref.",
  creation: ({ before }: RefUpdate) =>
    before === null ? "Cannot create ref due to creations being restricted." : undefined,
  deletion: ({ after }: RefUpdate) =>
    after === null ? "Cannot delete this protected ref." : undefined,
  // Commits that are signed are not modelled.
  required_signatures: ({ after }: RefUpdate) =>
    after === null ? undefined : "Commits must have verified signatures.",
} as const;

async function rewinds(repository: Repository, { before, after }: RefUpdate): Promise<boolean> {
  if (before === null || after === null) return false;
  return !(await isAncestor(repository.dir, before, after));
}

function missingChecks(
  world: World,
  repository: Repository,
  { rule, update }: Judged,
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
