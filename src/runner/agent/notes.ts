import type { Run, RunOutcome } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import { readTail } from "../../workspace/execute.ts";
import type { AgentReport } from "../presets/agent-report.ts";

/** Keeps what the runner said last with an outcome that has not got it. A program that tells nothing is quoted by the end of its output. */
export async function withNotes(
  outcome: RunOutcome,
  { run, report }: { readonly run: Run; readonly report: AgentReport },
  deps: Pick<Deps, "host" | "processes">,
): Promise<RunOutcome> {
  if (outcome.notes !== undefined) return outcome;
  const notes =
    report.lastMessage ?? (TOLD_BY_TAIL.has(outcome.kind) ? "" : await readTail(run.id, deps));
  return notes.trim() === "" ? outcome : { ...outcome, notes };
}

/** Of these the end of the output is told as what went wrong, so it is no note. */
const TOLD_BY_TAIL: ReadonlySet<RunOutcome["kind"]> = new Set<RunOutcome["kind"]>([
  ...(["failed", "verify-failed", "not-logged-in"] as const),
]);
