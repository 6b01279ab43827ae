import { join } from "node:path";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { RunnerConfig } from "../../config/schema/runner-schema.ts";
import type { Run } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import type { LaidWork } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { cutEnd } from "../../shared/clean-text.ts";
import type { Execution, RunFolders } from "../../workspace/execute.ts";
import type { EvaluationInProgress } from "./evaluation-in-progress.ts";
import { NO_PARSER } from "../presets/agent-report.ts";
import type { OutputParser } from "../presets/agent-report.ts";
import { missingKeys, neededKeys } from "../presets/needed-keys.ts";
import { presetCommand } from "../presets/preset.ts";
import type { Preset, Sessions } from "../presets/preset.ts";
import { PRESETS } from "../presets/presets.ts";
import { FILE_PROMPT, INLINE_PROMPT, renderPrompt, renderTaskFile } from "./prompt.ts";
import type { IdeaView, PromptView } from "./prompt.ts";
import { attemptOf } from "./run-in-progress.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** Linux takes no argument of more than 131,071 bytes, and a character may have four bytes. */
const MAX_ARGUMENT_LENGTH = 32_000;
const TASK_FILE = "task.md";
const PROMPT_FILE = "prompt.md";
export const IDEA_FILE = "idea.md";

/** A command of the operator's own is started like this. */
const SHELL = {
  parser: NO_PARSER,
  promptVia: "stdin",
  provider: [],
  sessions: undefined,
} as const;

export interface PreparedAgent {
  readonly execution: Execution;
  readonly parser: OutputParser;
  readonly keys: {
    /** The runner needs one of these variables. */
    readonly needed: readonly string[];
    /** They are the same when none is given to it, or else there are none. */
    readonly missing: readonly string[];
  };
  readonly sessions: Sessions | undefined;
}

interface Runner {
  readonly config: RunnerConfig;
  /** It is undefined for a command of the operator's own. */
  readonly preset: Preset | undefined;
  /** The runner goes on with this conversation. */
  readonly session: string | undefined;
}

/** Says what of the past the runner goes on with. */
export interface Continued {
  readonly session: string | undefined;
  readonly work: LaidWork;
  /** `agent-anew` means that the runner was started once and did not know its conversation. */
  readonly step: "agent" | "agent-anew";
}

/** Writes what the runner reads, and says how it is started. If its program is not there, it returns the program's name. */
export async function prepareAgent(
  { room, continued }: { readonly room: RunFolders; readonly continued: Continued },
  progress: RunInProgress,
  deps: Pick<Deps, "files" | "host" | "operator" | "sandbox">,
): Promise<PreparedAgent | { readonly missing: string }> {
  const config = runnerOf(progress.run, deps.operator);
  const preset = presetOf(config);
  const runner: Runner = { config, preset, session: continued.session };
  const program = preset === undefined ? "/bin/sh" : await programOf(preset, deps);
  if (program === undefined) return { missing: preset?.program ?? "" };
  const prompt = promptFor({ ...runner, work: continued.work }, room, progress);
  if (!room.taken || continued.step === "agent-anew")
    await writeFiles({ room, preset, prompt }, progress, deps);
  const { argv, env } = commandOf(runner, room, { program, prompt });
  const { timeouts } = progress.context.config;
  const { parser, promptVia, provider, sessions } = preset ?? SHELL;
  const execution: Execution = {
    step: continued.step,
    command: argv,
    timeoutMs: timeouts.run,
    idleMs: timeouts.idle,
    env: runner.config.env,
    set: { ...env, ...filesFor(room, progress) },
    stdin: promptVia === "stdin" ? prompt : "",
    isProgress: parser.isProgress,
    hosts: provider,
  };
  const missing = missingKeys(config, deps.host.environment);
  return { execution, parser, sessions, keys: { needed: neededKeys(config), missing } };
}

function filesFor(
  { inputDir }: RunFolders,
  { evaluation }: RunInProgress,
): Readonly<Record<string, string>> {
  const task = { WAVETRAIN_TASK_FILE: join(inputDir, TASK_FILE) };
  if (evaluation === undefined) return task;
  return { ...task, WAVETRAIN_IDEA_FILE: join(inputDir, IDEA_FILE) };
}

/** Returns the runner that a run was queued for. */
export function runnerOf({ runner }: Pick<Run, "runner">, operator: OperatorConfig): RunnerConfig {
  const config = operator.runners[runner];
  if (config === undefined) throw new AppError("config-invalid", `no runner is named ${runner}`);
  return config;
}

/** Returns undefined for a command of the operator's own. */
export function presetOf({ preset }: RunnerConfig): Preset | undefined {
  return preset === undefined ? undefined : PRESETS[preset];
}

/** A container has programs of its own, so the server's PATH says nothing about them. */
async function programOf(
  { program }: Preset,
  deps: Pick<Deps, "files" | "sandbox">,
): Promise<string | undefined> {
  return deps.sandbox.level === "container" ? program : deps.files.findProgram(program);
}

function promptFor(
  { config, preset, session, work }: Runner & { readonly work: LaidWork },
  room: RunFolders,
  progress: RunInProgress,
): string {
  const { task, run, history, context, evaluation } = progress;
  const view: PromptView = {
    task,
    attempt: attemptOf(progress),
    idea: evaluation && ideaView(evaluation),
    previous: history.previous,
    feedback: run.rework?.feedback ?? history.feedback,
    goesOn: run.rework !== undefined,
    work,
    verify: context.config.verify,
    taskFile: join(room.inputDir, TASK_FILE),
    template: config.prompt ?? (preset === undefined ? INLINE_PROMPT : FILE_PROMPT),
    note: preset?.note,
    resumed: session !== undefined,
  };
  return progress.job?.prompt(view, progress) ?? renderPrompt(view);
}

function ideaView({ idea, forerunners, exploration }: EvaluationInProgress): IdeaView {
  const { score, baseScore } = exploration.plan;
  return { ...idea, forerunners, score, baseScore };
}

async function writeFiles(
  { room, preset, prompt }: { room: RunFolders; preset: Preset | undefined; prompt: string },
  { task, evaluation }: RunInProgress,
  { files }: Pick<Deps, "files">,
): Promise<void> {
  if (evaluation !== undefined)
    await files.write(room.inputDir, IDEA_FILE, `${evaluation.idea.text}\n`);
  await files.write(room.inputDir, TASK_FILE, renderTaskFile(task));
  await files.write(room.inputDir, PROMPT_FILE, prompt);
  for (const [path, text] of Object.entries(preset?.files ?? {})) {
    await files.write(room.home, path, text);
  }
}

function commandOf(
  { config, preset, session }: Runner,
  { workspace, home, inputDir, sandboxed }: RunFolders,
  { program, prompt }: { readonly program: string; readonly prompt: string },
): ReturnType<typeof presetCommand> {
  if (preset === undefined) return { argv: [program, "-c", config.command ?? ""], env: {} };
  const promptFile = join(inputDir, PROMPT_FILE);
  const argument = cutEnd(prompt, MAX_ARGUMENT_LENGTH);
  const use = { program, session, workspace, home, sandboxed, prompt: argument, promptFile };
  return presetCommand(preset, { ...use, runner: config });
}
