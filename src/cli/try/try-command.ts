import { Command } from "commander";
import type { RawOptions } from "./input/options.ts";

const UNUSABLE = { exitCode: 2 };

const HELP = `
Without options a sample project is worked on by a scripted runner; with --runner by a real agent. With --repo, --tasks and
--command or --runner it does your own work: the repository is copied, never changed, and the result is a bare repository to
pull from. First the base itself has to pass --setup and --verify.

CMD runs by sh -c in a workspace of its own, with the prompt on standard input and WAVETRAIN_TASK_ID, WAVETRAIN_TASK_TITLE
and WAVETRAIN_ATTEMPT set. It runs as typed, with your HOME and environment, unless --sandbox bubblewrap keeps it in: then it
has a HOME of its own and sees the variables that --env names. What it leaves changed in the workspace is committed. A program
that is named by a relative path is looked for in the folder where you type. The task file is that of wavetrain plan.

NAME is a runner of the operator's file in this folder (or WAVETRAIN_CONFIG), in the sandbox that it says; or one of codex,
claude, opencode, gemini, copilot and aider, in bubblewrap where that works, with its provider's key from the environment.

Exit code: 0 when every task landed, 1 when some did not or the base itself fails, 2 when the input is unusable.`;

export function tryCommand(environment: Readonly<Record<string, string | undefined>>): Command {
  return new Command("try")
    .description("play the whole job on this machine with a local GitHub: no account, no network")
    .option("--repo <path>", "git repository to work on (copied, never changed)")
    .option("--tasks <file>", "task file, or - for standard input")
    .option("--command <cmd>", "what does the work in each workspace")
    .option("--runner <name>", "instead: a runner of wavetrain.config.yml, or codex, claude, …")
    .option("--setup <cmd>", "makes each workspace ready, for example npm ci")
    .option("--verify <cmd>", "must exit 0 on what is about to land, and on the base before")
    .option("--env <name>", "a variable that the work may see in a sandbox; repeatable", collect)
    .option("--sandbox <how>", "bubblewrap: keep the work in; none: it can do what you can")
    .option("--parallel <n>", "runs at the same time", "4")
    .option("--approve <how>", "auto: a reviewer approves everything; manual: you do", "auto")
    .option("--pacing <how>", "polite: as github.com wants it; off: as fast as can be", "polite")
    .option("--port <n>", "port of the local GitHub; any free one by default", "0")
    .option("--stay", "keep the board and the app running until Ctrl-C, also when all is done")
    .option("--json", "print the result as JSON")
    .option("--keep", "keep workspaces, logs and the store")
    .addHelpText("after", HELP)
    .action(async (raw: RawOptions, command: Command) => {
      const { checkInput } = await import("./input/check-input.ts");
      const checked = await checkInput(raw, environment);
      if (!checked.ok) return command.error(`error: ${checked.error}`, UNUSABLE);
      // The app and the local GitHub take a while to load: wrong input is answered at once.
      const { play } = await import("./play.ts");
      process.exitCode = await play(checked.value, environment, command);
    });
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}
