import type { Deps } from "../deps.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Workspace } from "../ports/git.ts";
import { copiesOfRun } from "../workspace/decide-copies.ts";
import type { Execute, Room } from "../workspace/execute.ts";
import { prepareWorkspace } from "../workspace/prepare-workspace.ts";
import { outcomeOfEnd } from "./run-agent.ts";
import type { RunInProgress } from "./run-in-progress.ts";

const TAIL_BYTES = 4000;

interface Unprepared {
  readonly workspace: Workspace;
  readonly execute: Execute;
  readonly room: Room;
}

/** Makes the workspace ready for the runner. Undefined when it is: the outcome of a run that ends here otherwise. */
export async function runSetup(
  { workspace, execute, room }: Unprepared,
  { context, run, signal }: RunInProgress,
  deps: Deps,
): Promise<RunOutcome | undefined> {
  const timeoutMs = context.config.timeouts.run;
  const begun = (await deps.processes.stateOf(`${run.id}/setup`)) !== "absent";
  const copies = copiesOfRun({ onBase: run.rework === undefined, fresh: room.fresh, begun });
  const preparation = { workspace, config: context.config, copies, signal };
  const setup = (command: string) => execute({ step: "setup", command, timeoutMs });
  const end = await prepareWorkspace(preparation, setup, deps);
  if (end === undefined) return undefined;
  const tail = await deps.processes.tail(deps.host.logPath(run.id), TAIL_BYTES);
  return outcomeOfEnd(end, { execution: { step: "setup", command: "", timeoutMs }, tail, signal });
}
