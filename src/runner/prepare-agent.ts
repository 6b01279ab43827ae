import { join } from "node:path";
import type { RunnerConfig } from "../config/runner-schema.ts";
import type { Deps } from "../deps.ts";
import { cutEnd } from "../shared/clean-text.ts";
import type { Execution, Room } from "../workspace/execute.ts";
import { NO_PARSER } from "./presets/output-parser.ts";
import type { OutputParser } from "./presets/output-parser.ts";
import { presetCommand } from "./presets/preset-command.ts";
import type { Preset } from "./presets/preset.ts";
import { PRESETS } from "./presets/presets.ts";
import { FILE_PROMPT, INLINE_PROMPT, renderPrompt, renderTaskFile } from "./prompt.ts";
import type { PromptView } from "./prompt.ts";
import { resumableSession } from "./resumable-session.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import { runnerOf } from "./runner-of.ts";

/** Linux takes no argument of more than 131,071 bytes, and a character may have four. */
const LONGEST_ARGUMENT = 32_000;
const TASK_FILE = "task.md";
const PROMPT_FILE = "prompt.md";

/** A command of the operator's own. */
const SHELL = { parser: NO_PARSER, promptVia: "stdin" } as const;

export interface PreparedAgent {
  readonly execution: Execution;
  readonly parser: OutputParser;
}

interface Runner {
  readonly config: RunnerConfig;
  /** Undefined for a command of the operator's own. */
  readonly preset: Preset | undefined;
  /** The conversation that goes on. */
  readonly session: string | undefined;
}

/** Writes what the runner reads, and says how it is started; the name of its program when that is not there. */
export async function prepareAgent(
  room: Room,
  progress: RunInProgress,
  deps: Deps,
): Promise<PreparedAgent | { readonly missing: string }> {
  const runner = findRunner(progress, deps);
  const { preset } = runner;
  const program = preset === undefined ? "/bin/sh" : await programOf(preset, deps);
  if (program === undefined) return { missing: preset?.program ?? "" };
  const prompt = promptFor(runner, room, progress);
  if (!room.taken) await writeFiles({ room, preset, prompt }, progress, deps);
  const { argv, env } = commandOf(runner, room, { program, prompt });
  const { timeouts } = progress.context.config;
  const { parser, promptVia } = preset ?? SHELL;
  const execution: Execution = {
    ...{ step: "agent", command: argv, timeoutMs: timeouts.run, idleMs: timeouts.idle },
    env: runner.config.env,
    set: { ...env, WAVETRAIN_TASK_FILE: join(room.desk, TASK_FILE) },
    stdin: promptVia === "stdin" ? prompt : "",
    isProgress: parser.isProgress,
    hosts: preset?.provider ?? [],
  };
  return { execution, parser };
}

function findRunner({ run, history }: RunInProgress, deps: Deps): Runner {
  const config = runnerOf(run, deps.operator);
  const preset = config.preset === undefined ? undefined : PRESETS[config.preset];
  const session = preset?.resume === undefined ? undefined : resumableSession(history, run.runner);
  return { config, preset, session };
}

/** A container has programs of its own, so what is on the server's PATH says nothing about them. */
async function programOf({ program }: Preset, deps: Deps): Promise<string | undefined> {
  return deps.sandbox.level === "container" ? program : deps.files.findProgram(program);
}

function promptFor(
  { config, preset, session }: Runner,
  room: Room,
  progress: RunInProgress,
): string {
  const { task, run, history, context } = progress;
  const view: PromptView = {
    ...{ task, attempt: run.attempt, previous: history.previous },
    feedback: run.rework?.feedback ?? history.feedback,
    goesOn: run.rework !== undefined,
    verify: context.config.verify,
    taskFile: join(room.desk, TASK_FILE),
    template: config.prompt ?? (preset === undefined ? INLINE_PROMPT : FILE_PROMPT),
    note: preset?.note,
    resumed: session !== undefined,
  };
  return progress.job?.prompt(view, progress) ?? renderPrompt(view);
}

async function writeFiles(
  { room, preset, prompt }: { room: Room; preset: Preset | undefined; prompt: string },
  { task }: RunInProgress,
  { files }: Deps,
): Promise<void> {
  await files.write(room.desk, TASK_FILE, renderTaskFile(task));
  await files.write(room.desk, PROMPT_FILE, prompt);
  for (const [path, text] of Object.entries(preset?.files ?? {})) {
    await files.write(room.home, path, text);
  }
}

function commandOf(
  { config, preset, session }: Runner,
  { workspace, home, desk, sandboxed }: Room,
  { program, prompt }: { readonly program: string; readonly prompt: string },
): ReturnType<typeof presetCommand> {
  if (preset === undefined) return { argv: [program, "-c", config.command ?? ""], env: {} };
  const promptFile = join(desk, PROMPT_FILE);
  const argument = cutEnd(prompt, LONGEST_ARGUMENT);
  const use = { program, session, workspace, home, sandboxed, prompt: argument, promptFile };
  return presetCommand(preset, { ...use, runner: config });
}
