import type { Deps } from "../deps.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { withExecute } from "../workspace/execute.ts";
import { prepareWorkspace } from "../workspace/prepare-workspace.ts";
import { interrupted } from "./interrupted.ts";
import type { Said, Verifying } from "./verifying.ts";

const TAIL_BYTES = 4000;

/** Setup and verify, as the default branch has them, in a workspace of their own at exactly this commit. */
export async function runVerifyCommand(work: Verifying, deps: Deps): Promise<Said> {
  const { context, commit, tree, attempt, signal } = work;
  const { repo, config } = context;
  const command = config.verify;
  if (command === undefined) return { verdict: "green", tail: "" };
  // Each try has a name of its own: a command that ended is not run again under the same one.
  const id = `verify-${tree.slice(0, 16)}-${attempt}`;
  const workspace = await deps.git.openWorkspace({ repo, id, base: commit });
  try {
    const options = { workspace, id, home: id, variables: {}, signal };
    const verdict = await withExecute(options, deps, async (execute) => {
      const timeoutMs = config.timeouts.verify;
      const unprepared = await prepareWorkspace(
        { workspace, config, mayKeep: false, signal },
        (setup) => execute({ step: "setup", command: setup, timeoutMs }),
        deps,
      );
      return verdictOf(unprepared ?? (await execute({ step: "verify", command, timeoutMs })));
    });
    return { verdict, tail: await deps.processes.tail(deps.host.logPath(id), TAIL_BYTES) };
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
