import type { Deps } from "../deps.ts";
import type { RunOutcome, StopOutcome } from "../domain/run.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import type { Execute, Execution } from "../workspace/execute.ts";
import { renderPrompt } from "./prompt.ts";
import type { RunInProgress } from "./run-in-progress.ts";

const TAIL_BYTES = 4000;

/** Setup, then the runner. Undefined when both ended well: what they did is then read from git. */
export async function runAgent(
  execute: Execute,
  progress: RunInProgress,
  deps: Deps,
): Promise<RunOutcome | undefined> {
  for (const execution of executionsOf(progress, deps)) {
    const end = await execute(execution);
    const tail = await deps.processes.tail(deps.host.logPath(progress.run.id), TAIL_BYTES);
    const stopped = outcomeOfEnd(end, { execution, tail, signal: progress.signal });
    if (stopped !== undefined) return stopped;
  }
  return undefined;
}

function executionsOf(
  { context, run, task, history }: RunInProgress,
  deps: Deps,
): readonly Execution[] {
  const runner = deps.operator.runners[run.runner];
  if (runner === undefined) {
    throw new AppError("config-invalid", `no runner is named ${run.runner}`);
  }
  const timeoutMs = context.config.timeouts.run;
  const { setup, verify } = context.config;
  const stdin = renderPrompt({ task, attempt: run.attempt, ...history, verify });
  const agent = {
    ...({ step: "agent", command: runner.command, timeoutMs } as const),
    ...{ env: runner.env, stdin },
  };
  return setup === undefined ? [agent] : [{ step: "setup", command: setup, timeoutMs }, agent];
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
      return end;
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
