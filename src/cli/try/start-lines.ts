import { renderDifference } from "../../config/repository/differences.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { TryOptions } from "./input/options.ts";
import type { TrialStart } from "./run-try.ts";

const UNCONFINED = "what does the work can do all that you can, and could approve its own changes";

/** It is said at the start and again at the end, so that nobody takes such a landing for a verified one. */
export const UNVERIFIED =
  "Verify: nothing: what agents do lands as it is; --verify CMD has it checked";

/** Says where to look on, what keeps the work in, what verifies it, and what is not as on a server. */
export function startLines(start: TrialStart, options: TryOptions): readonly string[] {
  const others = start.differences.map(renderDifference).join("; ");
  return [
    `Board: ${start.boardUrl} (${whatFor(options)})`,
    ...sandboxLines(start.sandbox, options),
    ...(options.verify === undefined ? [UNVERIFIED] : []),
    `Settings: the defaults${others === "" ? "" : `, but ${others}`}`,
  ];
}

function whatFor({ approve, stay }: TryOptions): string {
  if (approve === "manual")
    return "approve the pull requests there, or request changes; Ctrl-C ends the trial";
  return stay ? "to read along and to try things; Ctrl-C ends the trial" : "to read along";
}

function sandboxLines({ level, processes }: Sandbox, { command }: TryOptions): readonly string[] {
  return [
    `Sandbox: ${levelWords(level, command !== undefined)}`,
    ...(processes === undefined ? [] : [`Processes: ${processWords(processes)}`]),
  ];
}

function levelWords(level: Sandbox["level"], isTyped: boolean): string {
  if (level !== "none") return level;
  return isTyped
    ? "none, your HOME; --sandbox bubblewrap keeps it in"
    : `none: ${UNCONFINED}; --sandbox bubblewrap keeps it in`;
}

/** Says whether a process that a command leaves running can outlive it. */
function processWords(processes: NonNullable<Sandbox["processes"]>): string {
  if (!processes.ok) return `what a command leaves running may outlive it (${processes.error})`;
  const how = processes.value === "user-namespace" ? "PID and user namespace" : "PID namespace";
  return `nothing that a command starts outlives it (${how})`;
}
