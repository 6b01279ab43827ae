import type { Run, RunOutcome } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import type { LaidWork, Workspace } from "../../ports/git.ts";
import { cleanText } from "../../shared/clean-text.ts";
import { copiesOfRun } from "../../workspace/decide-copies.ts";
import { readTail } from "../../workspace/execute.ts";
import type { Execute, RunFolders } from "../../workspace/execute.ts";
import { prepareWorkspace } from "../../workspace/prepare-workspace.ts";
import { NO_REPORT, readLine } from "../presets/agent-report.ts";
import type { AgentReport } from "../presets/agent-report.ts";
import { parseEvent } from "../presets/event.ts";
import { wordMissingKeys } from "../presets/needed-keys.ts";
import type { Sessions } from "../presets/preset.ts";
import { decideGoingOn } from "./going-on.ts";
import { outcomeOfAgent, outcomeOfEnd, plainReport } from "./outcome-of-agent.ts";
import { prepareAgent, presetOf, runnerOf } from "./prepare-agent.ts";
import type { Continued, PreparedAgent } from "./prepare-agent.ts";
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
  // A task's budget, as far as it is not spent, shortens the run, and setup with it.
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

interface Room {
  readonly execute: Execute;
  readonly room: RunFolders;
  /** It says whether what an earlier run changed is in the workspace. */
  readonly work: LaidWork;
}

/**
 * Runs the agent, in the conversation of the run before if there is one. A program that does not know that conversation any more has done
 * nothing yet: it is started once more, with a new one.
 */
export async function runAgent(
  { execute, room, work }: Room,
  progress: RunInProgress,
  deps: AgentDeps,
): Promise<AgentEnd> {
  const session = await usableSession(room, progress, deps);
  const start = async (continued: Continued): Promise<PreparedEnd> => {
    const prepared = await prepareAgent({ room, continued }, progress, deps);
    if ("missing" in prepared) return notInstalled(prepared.missing);
    if (prepared.keys.missing.length > 0 && !room.taken)
      return withoutKey(progress.run, prepared.keys.missing);
    return runPrepared({ ...prepared, execute }, progress, deps);
  };
  const end = await start({ session, work, step: "agent" });
  if (session === undefined || !end.isSessionUnknown) return end;
  deps.log.info({ run: progress.run.id, task: progress.task.id }, "session of the runner is gone");
  return start({ session: undefined, work, step: "agent-anew" });
}

type AgentDeps = Pick<
  Deps,
  "clock" | "files" | "host" | "log" | "operator" | "processes" | "sandbox"
>;

interface PreparedEnd extends AgentEnd {
  readonly isSessionUnknown: boolean;
}

function notInstalled(program: string): PreparedEnd {
  const reason = `${program} is not installed on this host, or not on the server's PATH`;
  return { stopped: { kind: "lost", reason }, report: NO_REPORT, isSessionUnknown: false };
}

function withoutKey({ runner }: Run, keys: readonly string[]): PreparedEnd {
  const tail = wordMissingKeys(runner, keys);
  const stopped = { kind: "not-logged-in", runner, keys, tail } as const;
  return { stopped, report: NO_REPORT, isSessionUnknown: false };
}

/** Looks whether the program still has the conversation, as far as that can be seen from outside. */
async function usableSession(
  room: RunFolders,
  { run, history, context }: RunInProgress,
  deps: Pick<Deps, "files" | "operator">,
): Promise<string | undefined> {
  const preset = presetOf(runnerOf(run, deps.operator));
  const { session } = decideGoingOn(run, history, context.config);
  if (session === undefined || preset?.resume === undefined) return undefined;
  const { sessions } = preset;
  if (sessions === undefined) return session.id;
  if (sessions.byFolder && session.workspace !== room.workspace) return undefined;
  const isFile = (name: string): boolean => sessions.isFile(name, session.id);
  return (await deps.files.holds(room.home, sessions.folder, isFile)) ? session.id : undefined;
}

async function runPrepared(
  { execution, parser, sessions, keys, execute }: PreparedAgent & { readonly execute: Execute },
  { run, signal, agentBegins }: RunInProgress,
  deps: Pick<Deps, "clock" | "files" | "host" | "processes">,
): Promise<PreparedEnd> {
  const ending = execute(execution);
  agentBegins?.();
  const end = await ending;
  const code = end.kind === "exited" ? end.code : undefined;
  const { report, plain, isUnknown } = await readOutput({ parser, sessions, code }, run, deps);
  const { tellsEnd } = parser;
  const tail = tellsEnd ? readableTail(report, plain) : await readTail(run.id, deps);
  const facts = { report, tellsEnd, tail, runner: run.runner, keys: keys.needed };
  const ended = code === undefined || tellsEnd ? undefined : plainReport(code, facts);
  return {
    stopped: outcomeOfAgent(ended ?? outcomeOfEnd(end, { execution, tail, signal }), facts),
    report,
    isSessionUnknown: isUnknown && code !== 0,
  };
}

interface Output {
  readonly report: AgentReport;
  /** These are the lines that are no events. */
  readonly plain: string;
  /** The program ended by itself and says that it does not know the conversation. */
  readonly isUnknown: boolean;
}

interface EndedProgram extends Pick<PreparedAgent, "parser" | "sessions"> {
  /** It is undefined when the program did not end by itself. */
  readonly code: number | undefined;
}

async function readOutput(
  { parser, sessions, code }: EndedProgram,
  { id }: Run,
  deps: Pick<Deps, "clock" | "files" | "host">,
): Promise<Output> {
  const at = deps.clock.now();
  const plain = new PlainLines();
  let report = NO_REPORT;
  let unknownLines = 0;
  await deps.files.eachLine(deps.host.logPath(id), (line) => {
    report = readLine(parser, { report, at }, line);
    plain.add(line);
    if (sessions !== undefined && saysUnknown(line, sessions)) unknownLines += 1;
  });
  const isLoggedOut = code !== undefined && parser.loggedOutCodes?.includes(code) === true;
  return {
    report: isLoggedOut ? { ...report, loggedOut: true } : report,
    plain: plain.text,
    isUnknown: code !== undefined && unknownLines > 0,
  };
}

/** Words of the agent are in events, so they cannot pass for the program's own. */
function saysUnknown(line: string, { unknown }: Sessions): boolean {
  return parseEvent(line) === undefined && unknown.test(cleanText(line));
}
