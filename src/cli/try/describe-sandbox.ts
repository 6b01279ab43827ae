import type { Sandbox } from "../../ports/sandbox.ts";

const UNCONFINED = "what does the work can do all that you can, and could approve its own changes";

/** What the work is kept in, and whether what it leaves running can outlive it. */
export function describeSandbox({ level, processes }: Sandbox): string {
  const confinement = level === "none" ? `${level}: ${UNCONFINED}` : level;
  if (processes === undefined) return confinement;
  if (!processes.ok)
    return `${confinement}; what a command leaves running may outlive it (${processes.error})`;
  const how = processes.value === "user-namespace" ? "PID and user namespace" : "PID namespace";
  return `${confinement}; nothing that a command starts outlives it (${how})`;
}
