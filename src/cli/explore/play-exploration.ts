import { readdir } from "node:fs/promises";
import type { Command } from "commander";
import { openLog } from "../text/open-log.ts";
import { silentDisplay } from "../trial/display.ts";
import type { Display } from "../trial/display.ts";
import { failCommand } from "../trial/fail-command.ts";
import { watchInterrupts } from "../trial/interrupts.ts";
import { renderBaseFailure } from "../trial/render-base-failure.ts";
import { startLines } from "../trial/start-lines.ts";
import type { TrialStart } from "../trial/start-lines.ts";
import { SCORE_NAME } from "./explore-config.ts";
import type { ExplorePlanned } from "./explore-options.ts";
import { renderExplorePlan } from "./explore-plan.ts";
import { exploreResult } from "./explore-result.ts";
import { renderExploreReport } from "./report-exploration.ts";
import { runExploration } from "./run-exploration.ts";
import type { ExploreHooks, ExploreOutcome, ExploreProgress } from "./run-exploration.ts";
import { liveExploreDisplay, plainExploreDisplay } from "./show-exploration.ts";

const UNUSABLE = { exitCode: 2 };
const STOPPING = "Stopping: the best so far is kept; Ctrl-C once more ends everything at once.";
const ABOUT = { whatFor: "to read along", unverified: [] };

/** Shows the exploration from its plan to its result and returns the exit code. */
export async function playExploration(
  options: ExplorePlanned,
  environment: Readonly<Record<string, string | undefined>>,
  command: Command,
): Promise<number> {
  if (!options.json) console.log(renderExplorePlan(options));
  const display = displayFor(options);
  const { first: stop, second: kill, release } = watchInterrupts(2);
  const { LOG_LEVEL: level = "fatal", LOG_FORMAT: format } = environment;
  try {
    const outcome = await runExploration(options, {
      environment,
      log: openLog({ level, format, to: "stderr" }, environment),
      stop,
      kill,
      ...told(display, options),
    });
    display.done();
    const { end } = outcome;
    if (end?.kind === "refused") return command.error(`error: ${asTyped(end.why)}`, UNUSABLE);
    await report(outcome, options);
    return end?.kind === "winner" ? 0 : 1;
  } catch (error) {
    display.done();
    return failCommand(error, options, command);
  } finally {
    release();
  }
}

function displayFor({ json }: ExplorePlanned): Display<ExploreProgress> {
  if (json) return silentDisplay();
  return process.stdout.isTTY ? liveExploreDisplay() : plainExploreDisplay();
}

type Told = Omit<ExploreHooks, "environment" | "log" | "stop" | "kill">;

/** With --json what cannot be used is the one thing that is said, so the rest waits until something is tried. */
function told(display: Display<ExploreProgress>, options: ExplorePlanned): Told {
  let held: string[] = [];
  const release = (): void => {
    for (const words of held) display.say(words);
    held = [];
  };
  const say = (words: string): void => {
    if (options.json) held.push(words);
    else display.say(words);
  };
  return {
    started: (stage: TrialStart) => {
      say(startLines(stage, ABOUT, options).join("\n"));
    },
    checksBase: (words, elapsedMs) => {
      display.prepare(words, elapsedMs);
    },
    basePassed: say,
    progress: (progress) => {
      if (progress.exploration !== undefined) release();
      display.update(progress);
    },
    stopping: () => {
      display.say(STOPPING);
    },
  };
}

/** The app knows the score by its name. */
function asTyped(reason: string): string {
  return reason.replaceAll(`the score ${SCORE_NAME}`, "--score");
}

async function report(outcome: ExploreOutcome, options: ExplorePlanned): Promise<void> {
  if (options.json) console.log(JSON.stringify(exploreResult(outcome), null, 2));
  if (outcome.base !== undefined) console.error(renderBaseFailure(outcome.base));
  if (options.json || outcome.base !== undefined) return;
  console.log(`\n${renderExploreReport(outcome, process.stdout.columns || 100)}`);
  const { folder } = outcome;
  if (options.keep) console.log(`Kept: ${folder} (${(await readdir(folder)).join(", ")})`);
}
