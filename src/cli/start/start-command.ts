import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Logger } from "pino";
import type { RunningApp } from "../../app/run-app.ts";
import type { StopReport } from "../../app/stop-runs.ts";
import {
  LOG_FORMATS,
  readIdentity,
  readSettings,
  readVariables,
} from "../../config/operator/env.ts";
import type { Identity, LogFormat, ServerSettings } from "../../config/operator/env.ts";
import {
  OPERATOR_CONFIG_PATH,
  readOperatorConfig,
} from "../../config/operator/read-operator-config.ts";
import { readSavedApp } from "../../config/operator/saved-app.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { TaskId } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { openLog } from "../text/open-log.ts";

const UNUSABLE = { exitCode: 2 };
const FAILED = { exitCode: 1 };
const NO_APP = "`wavetrain setup` makes the app on GitHub and keeps these; or set them by hand";

const HELP = `
Reads wavetrain.config.yml (or --config FILE) and the environment:
  APP_ID            number of the GitHub App
  PRIVATE_KEY       its key: PEM text, base64 of it, or the path of the file
  WEBHOOK_SECRET    the secret that GitHub signs webhooks with
  HOST, PORT        where webhooks are received
  LOG_LEVEL         info by default
  LOG_FORMAT        pretty or json; by default pretty on a terminal, one JSON object a line elsewhere
Without the first three, those of the app that \`wavetrain setup\` made are used.

Stops on SIGTERM or SIGINT, as onStop in the operator's file says: runs under way go on and are taken up at the next start
(leave), are waited for (finish), or end and are queued again (stop). A second signal stops at once; nothing is lost by it.

Exit code: 0 after a stop, 1 when the app cannot run, 2 when its settings are unusable, 130 or 143 after a second signal.

Examples:
  wavetrain start
  wavetrain start --slots 1
  wavetrain start --config /etc/wavetrain.yml`;

interface StartOptions {
  readonly config?: string;
  readonly slots?: number;
  readonly logFormat?: LogFormat;
}

export function startCommand(): Command {
  return new Command("start")
    .description("run the app: webhooks, planning, runners and the merge train")
    .option("--config <file>", `operator's file (default: ${OPERATOR_CONFIG_PATH})`)
    .option(
      "--slots <n>",
      "runs at the same time, of all runners together, instead of the file's slots; 1 is one after the other",
      slotsGiven,
    )
    .addOption(
      new Option("--log-format <format>", "how the log is written, instead of LOG_FORMAT").choices(
        LOG_FORMATS,
      ),
    )
    .addHelpText("after", HELP)
    .action(async (options: StartOptions, command: Command) => {
      const settings = readSettings();
      if (!settings.ok) return command.error(lines(settings.error), UNUSABLE);
      const { configPath, logLevel, logFormat } = settings.value;
      const file = options.config ?? configPath ?? OPERATOR_CONFIG_PATH;
      const read = await readOperator(file, settings.value, command);
      const operator = { ...read, slots: options.slots ?? read.slots };
      const identity = await readOwnIdentity(operator, command);
      const format = options.logFormat ?? logFormat;
      const log = openLog({ level: logLevel, format, to: "stdout" }, readVariables());
      await serve(operator, { identity, log }, command);
    });
}

function slotsGiven(given: string): number {
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It must be a whole number of runs.");
}

async function readOperator(
  file: string,
  settings: ServerSettings,
  command: Command,
): Promise<OperatorConfig> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // The operator does the same next whether the file is missing or unreadable.
    return command.error(`error: ${file}: cannot be read; name your runners in it`, UNUSABLE);
  }
  const operator = readOperatorConfig({ text, file }, settings);
  if (!operator.ok) return command.error(lines(operator.error.map(problemLine)), UNUSABLE);
  return operator.value;
}

async function readOwnIdentity({ dataDir }: OperatorConfig, command: Command): Promise<Identity> {
  const saved = await readSavedApp(dataDir);
  if (!saved.ok) return command.error(lines([saved.error]), UNUSABLE);
  const identity = readIdentity(readVariables(), saved.value);
  if (identity.ok) return identity.value;
  return command.error(lines([...identity.error, NO_APP]), UNUSABLE);
}

function lines(problems: readonly string[]): string {
  return problems.map((problem) => `error: ${problem}`).join("\n");
}

async function serve(
  operator: OperatorConfig,
  { identity, log }: { readonly identity: Identity; readonly log: Logger },
  command: Command,
): Promise<void> {
  const signalled = stopSignal();
  // This is loaded only when it is needed: the other commands start in a third of the time without it.
  const { startApp } = await import("../../index.ts");
  try {
    surviveMistakes(log);
    const starting = startApp({ operator, identity, environment: readVariables(), log });
    const app = await Promise.race([starting, signalled.then(() => undefined)]);
    // A signal came while the app was starting: it may end here, the next start does all of that again.
    if (app === undefined) return process.exit(0);
    await signalled;
    await stopGently(app);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    command.error(`error: ${error.message}`, FAILED);
  }
}

/**
 * A mistake in one listener or timer ends that one alone. The app may go on: the store takes a batch as a whole or not at all, and each
 * lane begins with what is in the store.
 */
function surviveMistakes(log: Logger): void {
  const goOn = (err: unknown): void => {
    // EPIPE means that nobody reads the log any more: a line about it would be the next such error.
    if (err instanceof Error && "code" in err && err.code === "EPIPE") return;
    log.error({ err }, "a part of the app failed; the rest goes on");
  };
  process.on("uncaughtException", goOn);
  process.on("unhandledRejection", goOn);
}

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof SIGNAL_NUMBERS;
const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM"];
/** Wrappers such as npx pass on a signal that the terminal has already sent, so two within this time count as one. */
const SAME_SIGNAL_MS = 500;
const TELL_EVERY_MS = 3_000;

/**
 * Resolves at the first signal. The second one ends the process at once, with the code that a shell expects: the next start repairs what is
 * half done, and the store writes a batch as a whole or not at all.
 */
function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        firstAt ??= Date.now();
        if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + SIGNAL_NUMBERS[signal]);
        resolve(signal);
      });
    }
  });
}

async function stopGently(app: RunningApp): Promise<void> {
  const tell = setInterval(() => console.error(renderWaiting(app.working())), TELL_EVERY_MS);
  const report = await app.stop();
  clearInterval(tell);
  console.error(renderStop(report));
  // Runs that are left would keep this process waiting for their end.
  process.exit(0);
}

function renderStop({ finished, requeued, left }: StopReport): string {
  const parts = [
    part(finished, "finished", "finished"),
    part(requeued, "was stopped and is queued again", "were stopped and are queued again"),
    part(
      left,
      "goes on and is taken up at the next start",
      "go on and are taken up at the next start",
    ),
  ].filter((text) => text !== "");
  return parts.length === 0 ? "stopped; no run was under way" : `stopped: ${parts.join("; ")}`;
}

function renderWaiting(working: readonly TaskId[]): string {
  const what = working.length === 0 ? "for the last words" : `for ${named(working)}`;
  return `stopping: waiting ${what}; another signal stops at once`;
}

function part(tasks: readonly TaskId[], one: string, many: string): string {
  return tasks.length === 0 ? "" : `${named(tasks)} ${tasks.length === 1 ? one : many}`;
}

function named(tasks: readonly TaskId[]): string {
  return `${tasks.length} ${tasks.length === 1 ? "run" : "runs"} (${tasks.join(", ")})`;
}
