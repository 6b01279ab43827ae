import type { CandidateStep, LandingMethod } from "../../domain/entry.ts";
import { entryId } from "../../domain/ids.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { CandidateOutcome } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";

/**
 * Checks that a commit that landed a change is its parent plus that change, and nothing else. Tests do not see when it is not:
 * a landing that takes back an earlier one can be green. The result is undefined when the commit is as it should be.
 */
export async function auditLanded(
  landed: { readonly commit: Sha; readonly head: Sha },
  { repo }: RepoContext,
  { git }: Pick<Deps, "git">,
): Promise<string | undefined> {
  const { commit, head } = landed;
  const [parent] = await git.parentsOf(repo, commit);
  if (parent === undefined) return `${short(commit)} has no parent`;
  const built = await rebuild({ repo, onto: parent, method: "squash", head }, git);
  if (built.kind !== "built") return `${short(commit)} cannot be ${short(head)} on its parent`;
  const tree = await git.treeOf(repo, commit);
  return built.candidate.tree === tree ? undefined : breachOf(commit, head);
}

/** Checks the same for a commit that GitHub's own queue made. */
export async function auditMerged(
  landed: { readonly commit: Sha; readonly head: Sha },
  context: RepoContext,
  deps: Pick<Deps, "git" | "log">,
): Promise<string | undefined> {
  const { repo, base } = context;
  await deps.git.fetchBranch(repo, base);
  const breach = await auditLanded(landed, context, deps);
  if (breach !== undefined) deps.log.error({ repo, reason: breach }, "integrity breached");
  return breach;
}

interface AuditedStep extends Pick<CandidateStep, "commit" | "head" | "tree"> {
  /** The step was put on top of this commit. */
  readonly onto: Sha;
  readonly method: LandingMethod;
}

/** Checks the same for a step of our own by making it again from scratch. A rebase is compared as a whole, by its tree. */
export async function auditStep(
  step: AuditedStep,
  { repo }: RepoContext,
  { git }: Pick<Deps, "git">,
): Promise<string | undefined> {
  const { onto, method, head, commit } = step;
  const built = await rebuild({ repo, onto, method, head }, git);
  const tree = await git.treeOf(repo, commit);
  const whole = built.kind === "built" && built.candidate.tree === tree && tree === step.tree;
  if (!whole) return breachOf(commit, head);
  const [parent] = method === "rebase" ? [onto] : await git.parentsOf(repo, commit);
  return parent === onto ? undefined : `${short(commit)} does not stand on ${short(onto)}`;
}

interface Rebuilt extends Pick<AuditedStep, "onto" | "method" | "head"> {
  readonly repo: RepoName;
}

/** Another host may have built the audited commit: a missing head is fetched, and a head that cannot be read is an error, not a breach. */
async function rebuild(
  { repo, onto, method, head }: Rebuilt,
  git: Deps["git"],
): Promise<CandidateOutcome> {
  const parts = [{ entry: entryId("audit"), head, message: "audit" }];
  const build = () => git.buildCandidate({ repo, base: onto, method, parts });
  const built = await build();
  if (built.kind !== "missing") return built;
  await git.fetchCommit(repo, head);
  const again = await build();
  if (again.kind !== "missing") return again;
  const what = `cannot read ${short(head)} for the audit: ${again.reason}`;
  throw new AppError("git-failed", what, { retryable: true });
}

function breachOf(commit: Sha, head: Sha): string {
  return `${short(commit)} is not its parent plus ${short(head)}: someone must look before anything else lands`;
}

function short(commit: Sha): string {
  return commit.slice(0, 7);
}
