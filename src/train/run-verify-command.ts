import type { Deps } from "../deps.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { formatBytes } from "../shared/format-bytes.ts";
import { copiesOfVerification } from "../workspace/decide-copies.ts";
import { withExecute } from "../workspace/execute.ts";
import { prepareWorkspace } from "../workspace/prepare-workspace.ts";
import { interrupted } from "./interrupted.ts";
import type { Said, Verifying } from "./verifying.ts";

const TAIL_BYTES = 4000;

/**
 * Setup and verify, as the default branch has them, in a workspace of their own at exactly this commit. Nothing in it was ever in
 * the hands of a run: new files, a new HOME, and of setup a copy that was made before any agent could touch it, or none.
 */
export async function runVerifyCommand(work: Verifying, deps: Deps): Promise<Said> {
  const { context, commit, tree, signal } = work;
  const { repo, config } = context;
  const command = config.verify;
  if (command === undefined) return { verdict: "green", tail: "" };
  // A name that nobody knows before: no folder or end of a command waits for it, and a command that ended is not asked again.
  const id = `verify-${tree.slice(0, 16)}-${deps.host.nonce()}`;
  const workspace = await deps.git.openWorkspace({ repo, id, base: commit, fresh: true });
  try {
    const { network } = deps.operator;
    const options = { workspace, id, home: id, variables: {}, network: network.train, signal };
    const end = await withExecute(options, deps, async (execute) => {
      const timeoutMs = config.timeouts.verify;
      const unprepared = await prepareWorkspace(
        { workspace, config, copies: copiesOfVerification(deps.sandbox.level), signal },
        (setup) => execute({ step: "setup", command: setup, timeoutMs }),
        deps,
      );
      return unprepared ?? execute({ step: "verify", command, timeoutMs });
    });
    const tail = await deps.processes.tail(deps.host.logPath(id), TAIL_BYTES);
    return { verdict: verdictOf(end), tail: `${tail}${lastWordsOn(end)}` };
  } finally {
    await deps.processes.forget(id);
    await deps.host.removeHome(id);
    await deps.git.closeWorkspace(workspace);
  }
}

function verdictOf(end: CommandEnd): Said["verdict"] {
  if (end.kind === "cancelled" || end.kind === "lost") throw interrupted();
  if (end.kind === "timed-out") return "timed-out";
  return end.kind === "exited" && end.code === 0 ? "green" : "red";
}

/** What the command could not say itself. */
function lastWordsOn(end: CommandEnd): string {
  if (end.kind === "disk-limit")
    return `\nstopped: it took more than ${formatBytes(end.limitBytes)} of disk (maxRunDisk)`;
  return end.kind === "vanished" ? "\nkilled together with what watches over it" : "";
}
