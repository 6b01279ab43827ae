import type { RunOutcome } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import type { Workspace } from "../../ports/git.ts";
import { copiesOfRun } from "../../workspace/decide-copies.ts";
import { readTail } from "../../workspace/execute.ts";
import type { Execute, RunFolders } from "../../workspace/execute.ts";
import { prepareWorkspace } from "../../workspace/prepare-workspace.ts";
import { NO_REPORT, readLine } from "../presets/agent-report.ts";
import type { AgentReport } from "../presets/agent-report.ts";
import { wordMissingKeys } from "../presets/needed-keys.ts";
import { outcomeOfAgent, outcomeOfEnd, plainReport } from "./outcome-of-agent.ts";
import { prepareAgent } from "./prepare-agent.ts";
import type { PreparedAgent } from "./prepare-agent.ts";
import { PlainLines, readableTail } from "./readable-tail.ts";
import type { RunInProgress } from "./run-in-progress.ts";

export interface AgentEnd {
  /** It is undefined when the runner ended well: its work is then read from git. */
  readonly stopped: RunOutcome | undefined;
  readonly report: AgentReport;
}

interface Unprepared {
  readonly workspace: Workspace;
  readonly execute: Execute;
  readonly room: RunFolders;
}

/** Makes the workspace ready for the runner. It returns the outcome of a run that ends here, or undefined when all is ready. */
export async function runSetup(
  { workspace, execute, room }: Unprepared,
  { context, run, signal }: RunInProgress,
  deps: Pick<Deps, "git" | "host" | "log" | "processes">,
): Promise<RunOutcome | undefined> {
  const { timeouts } = context.config;
  // What is left of a task's budget shortens the run, and setup with it.
  const timeoutMs = Math.min(timeouts.verify, timeouts.run);
  const begun = (await deps.processes.stateOf(`${run.id}/setup`)) !== "absent";
  const copies = copiesOfRun({ onBase: run.rework === undefined, fresh: room.fresh, begun });
  const preparation = { workspace, config: context.config, copies, signal };
  const setup = (command: string) => execute({ step: "setup", command, timeoutMs });
  const end = await prepareWorkspace(preparation, setup, deps);
  if (end === undefined) return undefined;
  const tail = await readTail(run.id, deps);
  return outcomeOfEnd(end, { execution: { step: "setup", command: "", timeoutMs }, tail, signal });
}

export async function runAgent(
  { execute, room }: { readonly execute: Execute; readonly room: RunFolders },
  progress: RunInProgress,
  deps: Pick<Deps, "clock" | "files" | "host" | "operator" | "processes" | "sandbox">,
): Promise<AgentEnd> {
  const prepared = await prepareAgent(room, progress, deps);
  if ("missing" in prepared) {
    const tail = `${prepared.missing} is not installed on this host, or not on the server's PATH`;
    return { stopped: { kind: "lost", reason: tail }, report: NO_REPORT };
  }
  const { keys } = prepared;
  if (keys.missing.length > 0 && !room.taken) {
    const { runner } = progress.run;
    const tail = wordMissingKeys(runner, keys.missing);
    const stopped = { kind: "not-logged-in", runner, keys: keys.missing, tail } as const;
    return { stopped, report: NO_REPORT };
  }
  return runPrepared({ ...prepared, execute }, progress, deps);
}

async function runPrepared(
  { execution, parser, keys, execute }: PreparedAgent & { readonly execute: Execute },
  { run, signal, agentBegins }: RunInProgress,
  deps: Pick<Deps, "clock" | "files" | "host" | "processes">,
): Promise<AgentEnd> {
  const ending = execute(execution);
  agentBegins?.();
  const end = await ending;
  const now = deps.clock.now();
  let report = NO_REPORT;
  const plain = new PlainLines();
  await deps.files.eachLine(deps.host.logPath(run.id), (line) => {
    report = readLine(parser, { report, at: now }, line);
    plain.add(line);
  });
  if (end.kind === "exited" && parser.loggedOutCodes?.includes(end.code) === true)
    report = { ...report, loggedOut: true };
  const { tellsEnd } = parser;
  const tail = tellsEnd ? readableTail(report, plain.text) : await readTail(run.id, deps);
  const facts = { report, tellsEnd, tail, runner: run.runner, keys: keys.needed };
  const told = end.kind === "exited" && !tellsEnd ? plainReport(end.code, facts) : undefined;
  const ended = told ?? outcomeOfEnd(end, { execution, tail, signal });
  return { stopped: outcomeOfAgent(ended, facts), report };
}
