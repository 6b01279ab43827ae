import type { CheckRun, CommitStatus } from "./check.ts";
import type { PullRequest } from "./pull-request.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

/** Lists the newest run of each name and App on a commit. */
export function latestRuns(world: World, repository: Repository, sha: string): readonly CheckRun[] {
  const latest = new Map<string, CheckRun>();
  for (const run of world.checkRuns) {
    if (run.suite.repository !== repository || run.suite.headSha !== sha) continue;
    latest.set(`${run.suite.app.id}/${run.name}`, run);
  }
  return [...latest.values()];
}

/** Lists the newest status of each context on a commit. */
export function latestStatuses(
  world: World,
  repository: Repository,
  sha: string,
): readonly CommitStatus[] {
  const latest = new Map<string, CommitStatus>();
  for (const status of world.statuses) {
    if (status.repository === repository && status.sha === sha) latest.set(status.context, status);
  }
  return [...latest.values()];
}

/** Names the commit whose checks say how a pull request fared. Where landing moved the head, they are on the one before. */
export function checkedCommit(
  world: World,
  { repository, headSha, earlierHeads, landing }: PullRequest,
): string {
  const isChecked = (sha: string): boolean =>
    latestRuns(world, repository, sha).length + latestStatuses(world, repository, sha).length > 0;
  if (landing === null || isChecked(headSha)) return headSha;
  return earlierHeads.findLast(isChecked) ?? headSha;
}

export type Verdict = "missing" | "pending" | "failing" | "passing";

const PASSING = ["success", "skipped", "neutral"];

/** Says how a required check judges a commit; a check run and a status of one name must both pass. */
export function verdictOf(
  commit: { readonly world: World; readonly repository: Repository; readonly sha: string },
  context: string,
  appId?: number,
): Verdict {
  const runs = latestRuns(commit.world, commit.repository, commit.sha).filter(
    (run) => run.name === context && (appId === undefined || run.suite.app.id === appId),
  );
  const statuses = latestStatuses(commit.world, commit.repository, commit.sha).filter(
    (status) => status.context === context && appId === undefined,
  );
  const verdicts = [...runs.map(runVerdict), ...statuses.map(statusVerdict)];
  return worst(verdicts);
}

export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.length === 0) return "missing";
  if (verdicts.includes("failing")) return "failing";
  return verdicts.includes("pending") ? "pending" : "passing";
}

export function runVerdict(run: CheckRun): Verdict {
  if (run.status !== "completed" || run.conclusion === null) return "pending";
  return PASSING.includes(run.conclusion) ? "passing" : "failing";
}

export function statusVerdict(status: CommitStatus): Verdict {
  if (status.state === "pending") return "pending";
  return status.state === "success" ? "passing" : "failing";
}
