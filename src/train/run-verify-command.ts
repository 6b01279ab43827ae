import type { Deps } from "../deps.ts";
import { withExecute } from "../workspace/execute.ts";
import type { Execute } from "../workspace/execute.ts";
import type { Said, Verifying } from "./verify.ts";
import { interrupted } from "./interrupted.ts";

const TAIL_BYTES = 4000;

/** Setup and verify, as the default branch has them, in a workspace of their own at exactly this commit. */
export async function runVerifyCommand(work: Verifying, deps: Deps): Promise<Said> {
  const { context, commit, tree, attempt, signal } = work;
  const { repo, config } = context;
  const steps = [config.setup, config.verify].filter((step) => step !== undefined);
  if (config.verify === undefined) return { verdict: "green", tail: "" };
  // Each try has a name of its own: a command that ended is not run again under the same one.
  const id = `verify-${tree.slice(0, 16)}-${attempt}`;
  const workspace = await deps.git.openWorkspace({ repo, id, base: commit });
  try {
    const options = { workspace, id, variables: {}, signal };
    const verdict = await withExecute(options, deps, (execute) =>
      runSteps(steps, { execute, timeoutMs: config.timeouts.verify }),
    );
    return { verdict, tail: await deps.processes.tail(deps.host.logPath(id), TAIL_BYTES) };
  } finally {
    await deps.git.closeWorkspace(workspace);
  }
}

async function runSteps(
  steps: readonly string[],
  { execute, timeoutMs }: { readonly execute: Execute; readonly timeoutMs: number },
): Promise<Said["verdict"]> {
  for (const command of steps) {
    const end = await execute({ command, timeoutMs });
    if (end.kind === "cancelled") throw interrupted();
    if (end.kind === "timed-out") return "timed-out";
    if (end.kind !== "exited" || end.code !== 0) return "red";
  }
  return "green";
}
