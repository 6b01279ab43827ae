import { Argument } from "commander";
import type { Command } from "commander";
import type { LiftAnswer, RunnersAnswer } from "../../control/runners-routes.ts";
import type { RunnerStatus } from "../../control/runners-status.ts";
import { instant } from "../../domain/ids.ts";
import { formatInstant } from "../../shared/format.ts";
import { failureLines } from "../text/failure-lines.ts";
import { renderTable } from "../text/table.ts";
import { printable } from "../text/terminal-text.ts";
import type { ServerPlace } from "./data-folder.ts";
import { needServer } from "./find-server.ts";
import { remoteCommand } from "./remote-command.ts";

interface RunnersOptions {
  readonly json?: true;
}

const MIN_COLUMNS = 60;

const HELP = `
Asks the running server: every runner with its slots, whether it is paused, since when, until when and why, and its last failure.
A pause ends by itself where a time is given, when the runner is configured otherwise and the server started again, by /retry on a
task that it failed, or by:

  wavetrain runners lift NAME

Exit code: 0; 1 when no server is running, it does not answer or it refuses; 2 for wrong options or folder.

Examples:
  wavetrain runners
  wavetrain runners --json | jq '.runners[] | select(.paused)'
  wavetrain runners lift claude`;

export function runnersCommand(): Command {
  return remoteCommand("runners", printRunners)
    .description("show the runners, what pauses them and why they failed")
    .option("--json", "print it as JSON")
    .addHelpText("after", HELP)
    .addCommand(liftCommand());
}

function liftCommand(): Command {
  return remoteCommand("lift", liftPause)
    .description("end the pause of a runner, on every server of the same store")
    .addArgument(new Argument("<name>", "the runner, as the operator's file names it"))
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExamples:\n  wavetrain runners lift claude");
}

async function printRunners({ dataDir }: ServerPlace, command: Command): Promise<void> {
  const { json } = command.opts<RunnersOptions>();
  const server = await needServer(dataDir);
  const answer = (await (await server.ask("runners")).json()) as RunnersAnswer;
  const width = Math.max(MIN_COLUMNS, process.stdout.columns || 120);
  console.log(json ? JSON.stringify(answer, undefined, 2) : renderRunners(answer, width));
}

async function liftPause({ dataDir }: ServerPlace, command: Command): Promise<void> {
  const { json } = command.optsWithGlobals<RunnersOptions>();
  const [name] = command.processedArgs as [string];
  const server = await needServer(dataDir);
  const answer = (await (await server.tell("runners/lift", { runner: name })).json()) as LiftAnswer;
  if (json) console.log(JSON.stringify(answer, undefined, 2));
  else console.log(printable(`${answer.runner} is not paused any more; ${answer.paused.because}`));
}

export function renderRunners({ runners }: RunnersAnswer, width: number): string {
  const columns = [{ title: "runner" }, { title: "busy", align: "right" as const }, { title: "" }];
  const rows = runners.map((runner) => [
    runner.name,
    `${runner.busy}/${runner.slots}`,
    stateOf(runner),
  ]);
  const failures = runners.flatMap(({ lastFailure }) => (lastFailure === null ? [] : lastFailure));
  const lines = failures.flatMap((failure) => failureLines(failure));
  return [renderTable(columns, rows, width), ...(lines.length === 0 ? [] : ["", ...lines])].join(
    "\n",
  );
}

function stateOf({ paused, trial }: RunnerStatus): string {
  if (paused === null) return trial ? "on trial: one run at a time until one works" : "takes runs";
  const { since, until, because } = paused;
  const end = until === null ? "until somebody lifts it" : `until ${formatInstant(instant(until))}`;
  return `paused since ${formatInstant(instant(since))} ${end}: ${because}`;
}
