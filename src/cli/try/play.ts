import type { Command } from "commander";
import { plannableTasks } from "../input/task-file.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { PlanView } from "../plan/make-plan.ts";
import { openLog } from "../text/open-log.ts";
import { silentDisplay } from "../trial/display.ts";
import type { Display } from "../trial/display.ts";
import { failCommand } from "../trial/fail-command.ts";
import { watchInterrupts } from "../trial/interrupts.ts";
import { startLines, UNVERIFIED } from "../trial/start-lines.ts";
import type { TryOptions } from "./input/options.ts";
import type { TryOutcome } from "./outcome.ts";
import { reportOutcome } from "./report-outcome.ts";
import { runTry } from "./run-try.ts";
import type { TryProgress } from "./run-try.ts";
import { liveDisplay, plainDisplay } from "./show.ts";

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
  const { first: signal, release } = watchInterrupts(1);
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
        const about = { whatFor: whatFor(options), unverified: [UNVERIFIED] };
        tell(`${startLines(stage, about, options).join("\n")}${gap}`, options);
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
    return failCommand(error, options, command);
  } finally {
    release();
  }
}

function whatFor({ approve, stay }: TryOptions): string {
  if (approve === "manual")
    return "approve the pull requests there, or request changes; Ctrl-C ends the trial";
  return stay ? "to read along and to try things; Ctrl-C ends the trial" : "to read along";
}

/** With --json only the result goes to standard output. */
function tell(words: string, { json }: Pick<TryOptions, "json">): void {
  if (json) console.error(words);
  else console.log(words);
}

function displayFor({ json, tasks }: TryOptions): Display<TryProgress> {
  if (json) return silentDisplay();
  return process.stdout.isTTY ? liveDisplay(tasks) : plainDisplay(tasks);
}

function allLanded({ result }: TryOutcome): boolean {
  return result.tasks.every((task) => task.state === "landed");
}

function wavesById({ plan }: PlanView): ReadonlyMap<string, number> {
  return new Map(plan.waves.flatMap((wave, index) => wave.map((id) => [String(id), index + 1])));
}

function renderWaves({ plan }: PlanView): string {
  const waves = plan.waves.map((wave, index) => `  wave ${index + 1}  ${wave.join(", ")}`);
  const blocked = plan.blocked.map(({ id, cause }) => `  blocked  ${id}: ${cause.reason}`);
  return ["Plan", ...waves, ...blocked, ""].join("\n");
}
