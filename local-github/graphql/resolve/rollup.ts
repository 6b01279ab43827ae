import type { CheckRun, CommitStatus } from "../../model/check.ts";
import {
  latestRuns,
  latestStatuses,
  runVerdict,
  statusVerdict,
  worst,
} from "../../model/checks-of.ts";
import type { Verdict } from "../../model/checks-of.ts";
import type { World } from "../../model/world.ts";
import type { CommitName } from "./git-objects.ts";

/** Holds all that checks and statuses say about one commit. */
export interface Rollup {
  readonly kind: "rollup";
  readonly commit: CommitName;
  readonly contexts: readonly (CheckRun | CommitStatus)[];
  readonly state: string;
}

const STATES: Readonly<Record<Verdict, string>> = {
  missing: "EXPECTED",
  pending: "PENDING",
  failing: "FAILURE",
  passing: "SUCCESS",
};

/** Sums up a commit; answers null when nothing reported on it, because no checks is not success. */
export function rollupOf(world: World, commit: CommitName): Rollup | null {
  const runs = latestRuns(world, commit.repository, commit.sha);
  const statuses = latestStatuses(world, commit.repository, commit.sha);
  const contexts = [...runs, ...statuses];
  if (contexts.length === 0) return null;
  const verdict = worst([...runs.map(runVerdict), ...statuses.map(statusVerdict)]);
  return { kind: "rollup", commit, contexts, state: STATES[verdict] };
}
