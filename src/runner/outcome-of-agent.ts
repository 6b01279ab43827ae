import type { RunOutcome } from "../domain/run.ts";
import type { AgentReport } from "./agent-report.ts";

export interface AgentFacts {
  readonly report: AgentReport;
  /** Whether the program's own last word is part of a success. */
  readonly tellsEnd: boolean;
  readonly tail: string;
}

/** How the runner's process ended (undefined: with 0), held against what the runner said about itself. */
export function outcomeOfAgent(
  ended: RunOutcome | undefined,
  facts: AgentFacts,
): RunOutcome | undefined {
  const { report, tail } = facts;
  if (ended?.kind === "cancelled" || ended?.kind === "lost") return ended;
  if (ended === undefined && endedWell(facts)) return undefined;
  if (report.limit === undefined) return ended ?? { kind: "failed", exitCode: 0, tail };
  return { kind: "provider-limited", until: report.limit.until };
}

/** Exit codes lie: a program that tells its end must have told a good one. */
function endedWell({ report, tellsEnd }: AgentFacts): boolean {
  return report.terminal === "good" || !tellsEnd;
}
