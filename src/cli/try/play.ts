import type { Command } from "commander";
import { AppError } from "../../shared/app-error.ts";
import { plannableTasks } from "../input/task-file.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { PlanView } from "../plan/make-plan.ts";
import { openLog } from "../text/open-log.ts";
import type { TryOptions } from "./input/options.ts";
import type { TryOutcome } from "./outcome.ts";
import { reportOutcome } from "./report-outcome.ts";
import { runTry } from "./run-try.ts";
import { liveDisplay, plainDisplay, silentDisplay } from "./show.ts";
import type { Display } from "./show.ts";
import { startLines } from "./start-lines.ts";

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
        const isFollowed = options.setup !== undefined || options.verify !== undefined;
        const gap = isFollowed || options.json ? "" : "\n";
        tell(`${startLines(stage, options).join("\n")}${gap}`, options);
      },
      checksBase: (words, elapsedMs) => {
        display.prepare(words, elapsedMs);
      },
      basePassed: (words) => {
        display.say(`${words}\n`);
      },
      progress: (progress) => {
        display.update(progress);
      },
      stays: (boardUrl) => {
        display.say(`\nAll is at rest; the board stays at ${boardUrl} until Ctrl-C.\n`);
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

/** With --json only the result goes to standard output. */
function tell(words: string, { json }: Pick<TryOptions, "json">): void {
  if (json) console.error(words);
  else console.log(words);
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
