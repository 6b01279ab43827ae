import { instant } from "../../domain/ids.ts";
import type { StopOutcome, RunOutcome } from "../../domain/run.ts";
import type { CommandEnd } from "../../ports/processes.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { cleanLine } from "../../shared/clean-text.ts";
import { redact } from "../../shared/redact.ts";
import type { Execution } from "../../workspace/execute.ts";
import type { AgentReport } from "../presets/agent-report.ts";

const MAX_WHY_LENGTH = 300;
const VANISHED_REASON = "the run's processes were killed together with what watches over them";

/** EX_TEMPFAIL of sysexits.h means: try again later. */
const TRY_LATER_EXIT_CODE = 75;
/** EX_NOPERM of sysexits.h means: not allowed. */
const NOT_ALLOWED_EXIT_CODE = 77;
/** A shell exits with these codes when a program cannot be executed or is not there. */
const UNUSABLE_EXIT_CODES: ReadonlySet<number> = new Set([126, 127]);

const LOGGED_OUT_LINE = /^wavetrain: not logged in\s*$/m;
const LIMITED_LINE = /^wavetrain: limited(?: until (\S+))?\s*$/gm;

export interface AgentFacts {
  readonly report: AgentReport;
  /** A success needs the program's own last word, too. */
  readonly tellsEnd: boolean;
  readonly tail: string;
  readonly runner: string;
  /** One of these variables would log the runner in. */
  readonly keys: readonly string[];
}

interface EndFacts {
  readonly execution: Execution;
  readonly tail: string;
  readonly signal: AbortSignal;
}

export function outcomeOfEnd(end: CommandEnd, facts: EndFacts): RunOutcome | undefined {
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? undefined : { kind: "failed", exitCode: end.code, tail: facts.tail };
    case "killed":
      return { kind: "failed", exitCode: undefined, tail: `killed by ${end.signal}` };
    case "output-limit":
      return { kind: "failed", exitCode: undefined, tail: "the output limit was reached" };
    case "process-limit":
      return { kind: "failed", exitCode: undefined, tail: "too many processes were started" };
    case "stalled":
      return { ...end, tail: facts.tail };
    case "disk-limit":
      return end;
    case "vanished":
      return { kind: "lost", reason: VANISHED_REASON, vanished: true };
    case "lost":
      return { kind: "lost", reason: "the run's processes were ended from outside" };
    case "timed-out":
      return { kind: "timed-out", afterMs: facts.execution.timeoutMs, tail: facts.tail };
    case "cancelled":
      // Whoever stops a run says how it ended: a person took it away, or it was lost because the app stops.
      return facts.signal.reason as StopOutcome;
    default:
      return assertNever(end);
  }
}

/** Reads the outcome that any command can tell by its exit code and a line of its output. If undefined, its exit code alone counts. */
export function plainReport(
  exitCode: number,
  { tail, runner, keys }: Pick<AgentFacts, "tail" | "runner" | "keys">,
): RunOutcome | undefined {
  if (UNUSABLE_EXIT_CODES.has(exitCode)) {
    const reason = `the command of the runner ${runner} cannot be started: exit code ${exitCode}; wavetrain doctor says why`;
    return { kind: "lost", reason, tail };
  }
  if (exitCode === NOT_ALLOWED_EXIT_CODE && LOGGED_OUT_LINE.test(tail))
    return { kind: "not-logged-in", runner, keys, tail };
  if (exitCode !== TRY_LATER_EXIT_CODE) return undefined;
  const said = [...tail.matchAll(LIMITED_LINE)].at(-1);
  if (said === undefined) return undefined;
  const at = Date.parse(said[1] ?? "");
  return { kind: "provider-limited", until: Number.isNaN(at) ? undefined : instant(at) };
}

/** Compares how the runner's process ended (undefined means with 0) with what the runner said about itself. */
export function outcomeOfAgent(
  ended: RunOutcome | undefined,
  facts: AgentFacts,
): RunOutcome | undefined {
  const { report, tail, runner, keys } = facts;
  if (ended !== undefined && NOT_ITS_OWN.has(ended.kind)) return ended;
  if (ended === undefined && endedWell(facts)) return undefined;
  const ranOn = ended !== undefined && RAN_ON.has(ended.kind);
  if (report.loggedOut && !ranOn) return { kind: "not-logged-in", runner, keys, tail };
  if (report.limit !== undefined) return { kind: "provider-limited", until: report.limit.until };
  return withWhy(ended ?? { kind: "failed", exitCode: 0, tail }, report);
}

const NOT_ITS_OWN: ReadonlySet<RunOutcome["kind"]> = new Set(["cancelled", "lost"]);
/** A program that was refused does not go on for so long. */
const RAN_ON: ReadonlySet<RunOutcome["kind"]> = new Set(["timed-out", "disk-limit"]);

/** A program that only says that it tries again has told the reason of its stall. */
function withWhy(ended: RunOutcome, { error }: AgentReport): RunOutcome {
  if (ended.kind !== "stalled" || error === undefined) return ended;
  return { ...ended, why: redact(cleanLine(error, MAX_WHY_LENGTH)) };
}

/** Exit codes lie: a program that tells its end must have told a good one. */
function endedWell({ report, tellsEnd }: AgentFacts): boolean {
  return report.terminal === "good" || !tellsEnd;
}
