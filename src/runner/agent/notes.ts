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
  const notes = report.lastMessage ?? (hasTail(outcome) ? "" : await readTail(run.id, deps));
  return notes.trim() === "" ? outcome : { ...outcome, notes };
}

function hasTail(outcome: RunOutcome): boolean {
  return "tail" in outcome;
}
