import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { LogPlace, LoggedRun } from "../../control/get-logs.ts";
import { OPENING } from "../../domain/exploration.ts";
import { formatDuration } from "../../shared/format.ts";
import type { ServerPlace } from "../remote/data-folder.ts";
import { needServer } from "../remote/find-server.ts";
import { remoteCommand } from "../remote/remote-command.ts";
import { repoOption, taskArgument, taskMeant } from "../remote/task-target.ts";
import { printable } from "../text/terminal-text.ts";
import { askPlace, followLog, readLog } from "./follow-log.ts";
import type { LogReader } from "./follow-log.ts";
import { Transcript } from "./transcript.ts";

interface LogsOptions {
  readonly follow?: true;
  readonly attempt?: string;
  readonly run?: string;
  readonly raw?: true;
  readonly json?: true;
  readonly repo?: string;
}

const HELP = `
Prints what the task's latest run printed: its setup, its agent, its verification. Of agents with a preset that tells events, what they
said and did is shown, one line each; --raw has the bytes as they are. With -f it goes on until the run ends, and with the next
attempt if there is one. The running server is asked; a run of another server is there alone.

Exit code: 0; 1 when there is no such log, or no server is running or answers; 2 for wrong options or folder.

Examples:
  wavetrain logs 12 -f
  wavetrain logs acme/shop#12 --attempt 1
  wavetrain logs 12 --raw > run.log
  wavetrain logs 12 --json | jq -r .run.path`;

const OPENS = ", which opens its exploration";
/** An exploration may have a thousand: `--json` lists all of them. */
const MAX_NAMED_RUNS = 5;

export function logsCommand(): Command {
  return remoteCommand("logs", printLogs)
    .description("print the log of a task's latest run, or follow it")
    .addArgument(taskArgument())
    .option("-f, --follow", "wait for more until the run ends")
    .option("--attempt <n>", "an earlier attempt", attemptGiven)
    .addOption(
      new Option(
        "--run <id>",
        "a certain run, such as one of several contenders or evaluations",
      ).conflicts("attempt"),
    )
    .option("--raw", "the bytes as they are, not made fit for a terminal")
    .addOption(
      new Option("--json", "where the log is and what it is of, as JSON").conflicts([
        "raw",
        "follow",
      ]),
    )
    .addOption(repoOption())
    .addHelpText("after", HELP);
}

function attemptGiven(given: string): string {
  if (/^[1-9]\d{0,9}$/.test(given)) return given;
  throw new InvalidArgumentError("It must be a number from 1 on.");
}

async function printLogs({ dataDir }: ServerPlace, command: Command): Promise<void> {
  const { attempt, run, repo, ...options } = command.opts<LogsOptions>();
  const query = {
    ...taskMeant(command, repo),
    ...(attempt === undefined ? {} : { attempt }),
    ...(run === undefined ? {} : { run }),
  };
  const server = await needServer(dataDir);
  if (options.json) {
    console.log(JSON.stringify(await askPlace(server, query), undefined, 2));
    return;
  }
  const read = options.follow ? followLog : readLog;
  await read(server, query, options.raw ? rawReader() : clearReader());
}

function rawReader(): LogReader {
  return { ...tellRuns(), bytes: (part) => void process.stdout.write(part) };
}

function clearReader(): LogReader {
  const tell = tellRuns();
  let transcript = new Transcript(undefined);
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
  };
  return {
    ...tell,
    begin(run, place) {
      tell.begin(run, place);
      transcript = new Transcript(run.preset);
    },
    bytes: (part) => print(transcript.add(part)),
    end(run) {
      print(transcript.end());
      tell.end(run);
    },
  };
}

/** Says on standard error which run it is and how it ended. */
function tellRuns(): Pick<LogReader, "begin" | "end" | "waiting"> {
  return {
    begin: (run, place) => console.error(printable(beginning(run, place))),
    end: (run) => console.error(printable(ending(run))),
    waiting: ({ state, reason }) => console.error(printable(`-- ${state}: ${reason}`)),
  };
}

function beginning(run: LoggedRun, { task, runs }: LogPlace): string {
  const { id, attempt, runner, contender } = run;
  const others = runs.filter((one) => one.attempt === attempt && one.id !== id);
  const beside = others.slice(0, MAX_NAMED_RUNS).map((one) => `--run ${one.id}`);
  const rest = others.length - beside.length;
  const note = others.length === 0 ? "" : `; beside it: ${beside.join(", ")}`;
  const more = rest === 0 ? "" : ` and ${rest} more`;
  const which = others.length === 0 ? "" : `, number ${contender}`;
  return `-- ${task}, attempt ${attempt} with ${runner}${contender === OPENING ? OPENS : which}${note}${more}`;
}

function ending({ attempt, state, outcome, startedAt, finishedAt }: LoggedRun): string {
  if (state !== "finished") return `-- attempt ${attempt} is under way; -f waits for more`;
  const took =
    startedAt === undefined || finishedAt === undefined
      ? ""
      : ` after ${formatDuration(finishedAt - startedAt)}`;
  return `-- attempt ${attempt} ended${took}: ${outcome ?? "nobody knows how"}`;
}
