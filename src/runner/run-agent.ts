import type { Deps } from "../deps.ts";
import type { RunOutcome, StopOutcome } from "../domain/run.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { assertNever } from "../shared/assert-never.ts";
import type { Execute, Execution, Room } from "../workspace/execute.ts";
import { NO_REPORT } from "./agent-report.ts";
import type { AgentReport } from "./agent-report.ts";
import { plainReport } from "./plain-report.ts";
import { outcomeOfAgent } from "./outcome-of-agent.ts";
import { prepareAgent } from "./prepare-agent.ts";
import type { PreparedAgent } from "./prepare-agent.ts";
import { readLine } from "./presets/read-report.ts";
import type { RunInProgress } from "./run-in-progress.ts";

const TAIL_BYTES = 4000;
const VANISHED = "the run's processes were killed together with what watches over them";

export interface AgentEnd {
  /** Undefined when the runner ended well: what it did is then read from git. */
  readonly stopped: RunOutcome | undefined;
  readonly report: AgentReport;
}

export async function runAgent(
  { execute, room }: { readonly execute: Execute; readonly room: Room },
  progress: RunInProgress,
  deps: Deps,
): Promise<AgentEnd> {
  const prepared = await prepareAgent(room, progress, deps);
  if ("missing" in prepared) {
    const tail = `${prepared.missing} is not installed on this host, or not on the server's PATH`;
    return { stopped: { kind: "lost", reason: tail }, report: NO_REPORT };
  }
  return runPrepared({ ...prepared, execute }, progress, deps);
}

async function runPrepared(
  { execution, parser, execute }: PreparedAgent & { readonly execute: Execute },
  { run, signal, agentBegins }: RunInProgress,
  deps: Deps,
): Promise<AgentEnd> {
  const ending = execute(execution);
  agentBegins?.();
  const end = await ending;
  const logPath = deps.host.logPath(run.id);
  const now = deps.clock.now();
  let report = NO_REPORT;
  await deps.files.eachLine(logPath, (line) => {
    report = readLine(parser, { report, at: now }, line);
  });
  const tail = report.error ?? (await deps.processes.tail(logPath, TAIL_BYTES));
  const told = end.kind === "exited" && !parser.tellsEnd ? plainReport(end.code, tail) : undefined;
  const ended = told ?? outcomeOfEnd(end, { execution, tail, signal });
  return {
    stopped: outcomeOfAgent(ended, { report, tellsEnd: parser.tellsEnd, tail }),
    report,
  };
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
    case "disk-limit":
      return end;
    case "vanished":
      return { kind: "lost", reason: VANISHED, vanished: true };
    case "lost":
      return { kind: "lost", reason: "the run's processes were ended from outside" };
    case "timed-out":
      return { kind: "timed-out", afterMs: facts.execution.timeoutMs };
    case "cancelled":
      // Whoever stops a run says how it ended: taken away by a person, or lost because the app stops.
      return facts.signal.reason as StopOutcome;
    default:
      return assertNever(end);
  }
}
