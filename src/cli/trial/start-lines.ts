import { renderDifference } from "../../config/repository/differences.ts";
import type { Difference } from "../../config/repository/differences.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { TrialOptions } from "./trial-options.ts";

export interface TrialStart {
  /** The address contains the key to the board. */
  readonly boardUrl: string;
  readonly sandbox: Sandbox;
  readonly differences: readonly Difference[];
}

type Work = Pick<TrialOptions, "command" | "home" | "verify">;

const UNCONFINED = "what does the work can do all that you can, and could approve its own changes";

/** It is said at the start and again at the end, so that nobody takes such a landing for a verified one. */
export const UNVERIFIED =
  "Verify: nothing: what agents do lands as it is; --verify CMD has it checked";

/** Says where to look on, what keeps the work in, what verifies it, and what is not as on a server. */
export function startLines(
  start: TrialStart,
  { whatFor, unverified }: { readonly whatFor: string; readonly unverified: readonly string[] },
  work: Work,
): readonly string[] {
  const others = start.differences.map(renderDifference).join("; ");
  return [
    `Board: ${start.boardUrl} (${whatFor})`,
    ...sandboxLines(start.sandbox, work),
    ...(work.verify === undefined ? unverified : []),
    `Settings: the defaults${others === "" ? "" : `, but ${others}`}`,
  ];
}

function sandboxLines({ level, processes }: Sandbox, work: Work): readonly string[] {
  return [
    `Sandbox: ${levelWords(level, work)}`,
    ...(processes === undefined ? [] : [`Processes: ${processWords(processes)}`]),
  ];
}

function levelWords(level: Sandbox["level"], { command, home }: Work): string {
  if (level !== "none") return level;
  const isTyped = command !== undefined;
  const whose = home === "user" ? "your HOME" : "a HOME of its own for each evaluation";
  return `none${isTyped ? `, ${whose}` : `: ${UNCONFINED}`}; --sandbox bubblewrap keeps it in`;
}

/** Says whether a process that a command leaves running can outlive it. */
function processWords(processes: NonNullable<Sandbox["processes"]>): string {
  if (!processes.ok) return `what a command leaves running may outlive it (${processes.error})`;
  const how = processes.value === "user-namespace" ? "PID and user namespace" : "PID namespace";
  return `nothing that a command starts outlives it (${how})`;
}
