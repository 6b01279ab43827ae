import type { Deps, RepoContext } from "../deps.ts";
import type { CandidateStep, LandingMethod } from "../domain/entry.ts";
import { entryId } from "../domain/ids.ts";
import type { Sha } from "../domain/ids.ts";

/**
 * A commit that landed a change must be its parent plus that change, and nothing else. Tests do not see when it is not:
 * a landing that takes back an earlier one can be green. Undefined: it is as it should be.
 */
export async function auditLanded(
  landed: { readonly commit: Sha; readonly head: Sha },
  { repo }: RepoContext,
  { git }: Deps,
): Promise<string | undefined> {
  const { commit, head } = landed;
  const [parent] = await git.parentsOf(repo, commit);
  if (parent === undefined) return `${short(commit)} has no parent`;
  const parts = [{ entry: entryId("audit"), head, message: "audit" }];
  const built = await git.buildCandidate({ repo, base: parent, method: "squash", parts });
  if (built.kind !== "built") return `${short(commit)} cannot be ${short(head)} on its parent`;
  const tree = await git.treeOf(repo, commit);
  return built.candidate.tree === tree ? undefined : breachOf(commit, head);
}

interface AuditedStep extends Pick<CandidateStep, "commit" | "head" | "tree"> {
  /** What it was put on top of. */
  readonly onto: Sha;
  readonly method: LandingMethod;
}

/** The same for a step of our own, made again from scratch. A replay is compared as a whole. */
export async function auditStep(
  step: AuditedStep,
  { repo }: RepoContext,
  { git }: Deps,
): Promise<string | undefined> {
  const { onto, method, head, commit } = step;
  const parts = [{ entry: entryId("audit"), head, message: "audit" }];
  const built = await git.buildCandidate({ repo, base: onto, method, parts });
  const tree = await git.treeOf(repo, commit);
  const whole = built.kind === "built" && built.candidate.tree === tree && tree === step.tree;
  if (!whole) return breachOf(commit, head);
  const [parent] = method === "rebase" ? [onto] : await git.parentsOf(repo, commit);
  return parent === onto ? undefined : `${short(commit)} does not stand on ${short(onto)}`;
}

function breachOf(commit: Sha, head: Sha): string {
  return `${short(commit)} is not its parent plus ${short(head)}: someone must look before anything else lands`;
}

function short(commit: Sha): string {
  return commit.slice(0, 7);
}
