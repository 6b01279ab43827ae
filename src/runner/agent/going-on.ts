import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { failureClassOf, isForgiven } from "../../domain/failure.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import type { SavedWork } from "../../ports/git.ts";
import type { History } from "./history.ts";

/** Says what a run takes up from the runs before it. */
export interface GoingOn {
  /** This conversation may be resumed, if its program still has it. */
  readonly session: PastSession | undefined;
  /** The newest that is there is put into the workspace. It is empty for a run that begins with something else. */
  readonly work: readonly SavedWork[];
}

export interface PastSession {
  readonly id: string;
  /** It was held in this folder. */
  readonly workspace: string | undefined;
}

/** After these outcomes the conversation itself, or the work, may be what is wrong. */
const SPOILED_BY: ReadonlySet<RunOutcome["kind"]> = new Set<RunOutcome["kind"]>([
  ...(["failed", "cancelled", "disk-limit"] as const),
]);

/** After these outcomes the runner may not have begun at all: what was before them counts then. */
const INTERRUPTED: ReadonlySet<RunOutcome["kind"]> = new Set<RunOutcome["kind"]>([
  ...(["lost", "provider-limited", "not-logged-in"] as const),
]);

/** Decides what a run goes on with. Runs from before a person asked anew are not in its history, so it starts afresh then. */
export function decideGoingOn(
  run: Pick<Run, "runner" | "rework">,
  { own }: Pick<History, "own">,
  { retry }: Pick<RepoConfig, "retry">,
): GoingOn {
  const isFresh = retry === "fresh" && run.rework === undefined;
  const before = continued(own, isFresh);
  const session = before.find((one) => one.session !== undefined);
  return {
    session:
      session?.session === undefined || session.runner !== run.runner
        ? undefined
        : { id: session.session, workspace: session.workspace },
    // A rework begins with the pull request, and what succeeded is there.
    work: run.rework === undefined ? before.flatMap(savedBy) : [],
  };
}

/** Returns the run before, and those before it as far as nothing but interruptions came after them. */
function continued(own: readonly Run[], isFresh: boolean): readonly Run[] {
  const last = own.findIndex(({ outcome }) => !isInterrupted(outcome));
  const latest = last === -1 ? own : own.slice(0, last + 1);
  return latest.filter(({ outcome }) => outcome !== undefined && isUsable(outcome, isFresh));
}

function isInterrupted(outcome: RunOutcome | undefined): boolean {
  return outcome?.unprepared === true || INTERRUPTED.has(outcome?.kind ?? "lost");
}

function isUsable(outcome: RunOutcome, isFresh: boolean): boolean {
  if (outcome.unprepared === true) return false;
  if (SPOILED_BY.has(outcome.kind)) return false;
  const failure = failureClassOf(outcome);
  return !isFresh || failure === undefined || isForgiven(failure);
}

function savedBy({ id, outcome, startedAt, queuedAt }: Run): readonly SavedWork[] {
  return outcome?.kind === "succeeded" ? [] : [{ id, since: startedAt ?? queuedAt }];
}
