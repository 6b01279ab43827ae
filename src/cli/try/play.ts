import type { Command } from "commander";
import { renderDifference } from "../../config/repository/differences.ts";
import { AppError } from "../../shared/app-error.ts";
import { plannableTasks } from "../input/task-file.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { PlanView } from "../plan/make-plan.ts";
import { openLog } from "../text/open-log.ts";
import type { TryOptions } from "./input/check-input.ts";
import { reportOutcome } from "./report-outcome.ts";
import { runTry } from "./run-try.ts";
import type { TrialStart, TryOutcome } from "./run-try.ts";
import { liveDisplay, plainDisplay, silentDisplay } from "./show.ts";
import type { Display } from "./show.ts";

const UNUSABLE = { exitCode: 2 };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Wrappers such as npx pass on a signal that the terminal has already sent, so two within this time count as one. */
const SAME_SIGNAL_MS = 500;

/** Shows the trial from its plan to its result and returns the exit code. */
export async function play(
  options: TryOptions,
  environment: Readonly<Record<string, string | undefined>>,
  command: Command,
): Promise<number> {
  const plan = { slots: options.parallel, schedule: "rolling" } as const;
  const view = makePlan(plannableTasks(options.tasks), plan);
  if (!options.json) console.log(renderWaves(view));
  const display = displayFor(options);
  const { signal, release } = watchInterrupts();
  const { LOG_LEVEL: level = "fatal", LOG_FORMAT: format } = environment;
  try {
    const outcome = await runTry(options, {
      environment,
      log: openLog({ level, format, to: "stderr" }, environment),
      waves: wavesById(view),
      backlog: view.backlog,
      signal,
      started: (stage) => {
        tellStart(stage, options);
      },
      progress: (progress) => {
        display.update(progress);
      },
    });
    display.done();
    await reportOutcome(outcome, options);
    return allLanded(outcome) ? 0 : 1;
  } catch (error) {
    display.done();
    const problem = portProblem(error);
    if (problem) return command.error(`error: port ${options.port} ${problem}`, UNUSABLE);
    if (error instanceof AppError) return command.error(`error: ${error.message}`, { exitCode: 1 });
    throw error;
  } finally {
    release();
  }
}

function tellStart(
  { boardUrl, sandbox, differences }: TrialStart,
  { approve, json }: TryOptions,
): void {
  const what =
    approve === "manual"
      ? "approve the pull requests there, or request changes; Ctrl-C ends the trial"
      : "to read along";
  const others = differences.map(renderDifference).join("; ");
  const settings = `the defaults${others === "" ? "" : `, but ${others}`}`;
  const line = `Board: ${boardUrl} (${what})\nSandbox: ${sandbox}\nSettings: ${settings}`;
  if (json) console.error(line);
  else console.log(`${line}\n`);
}

function displayFor({ json, tasks }: TryOptions): Display {
  if (json) return silentDisplay();
  return process.stdout.isTTY ? liveDisplay(tasks) : plainDisplay(tasks);
}

function allLanded({ result }: TryOutcome): boolean {
  return result.tasks.every((task) => task.state === "landed");
}

function portProblem(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "is in use";
  return code === "EACCES" ? "may not be used by you" : undefined;
}

function wavesById({ plan }: PlanView): ReadonlyMap<string, number> {
  return new Map(plan.waves.flatMap((wave, index) => wave.map((id) => [String(id), index + 1])));
}

function renderWaves({ plan }: PlanView): string {
  const waves = plan.waves.map((wave, index) => `  wave ${index + 1}  ${wave.join(", ")}`);
  const blocked = plan.blocked.map(({ id, cause }) => `  blocked  ${id}: ${cause.reason}`);
  return ["Plan", ...waves, ...blocked, ""].join("\n");
}

interface Interrupts {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Aborts at the first Ctrl-C or polite kill, and when nobody reads the output any more; a second Ctrl-C kills. */
function watchInterrupts(): Interrupts {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    firstAt ??= Date.now();
    stop.abort();
    if (Date.now() - firstAt <= SAME_SIGNAL_MS) return;
    release();
    process.kill(process.pid, signal);
  };
  const goneReader = (): void => {
    stop.abort();
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  // These listeners stay for good: output after the end must not bring the program down either.
  process.stdout.on("error", goneReader);
  process.stderr.on("error", goneReader);
  return { signal: stop.signal, release };
}
