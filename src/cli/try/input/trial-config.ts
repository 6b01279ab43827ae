import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Reasons } from "../../../config/repository/differences.ts";
import type { OperatorConfig } from "../../../config/schema/operator-config.ts";
import type { Result } from "../../../shared/result.ts";
import {
  bestSandbox,
  dataDirOf,
  levelOf,
  operatorSettings,
  runnersWork,
  TRIAL_REASONS,
  typedWork,
} from "../../trial/operator-settings.ts";
import type { Work } from "../../trial/operator-settings.ts";
import type { StagePlace } from "../../trial/stage.ts";
import type { TryOptions } from "./options.ts";
import { SAMPLE_AGENT } from "./sample-agent.ts";

/** Nobody adds to a review for long while a trial is watched. */
const QUIET = "5s";

export const TRY_REASONS: Reasons = {
  ...TRIAL_REASONS,
  "repositories.*.feedback.quiet": "nobody waits two minutes for an answer to a review here",
};

/** Returns the app's configuration for a trial. Its parts were checked before, so it is never refused. */
export async function trialConfig(options: TryOptions, place: StagePlace): Promise<OperatorConfig> {
  const settings = await trialSettings(options, place);
  if (!settings.ok) throw new Error(settings.error);
  if (options.command === undefined && options.runner === undefined) await writeAgent(place);
  return settings.value;
}

/** Puts together what the options say, or says what does not go together. */
export async function trialSettings(
  options: TryOptions,
  place: StagePlace,
): Promise<Result<OperatorConfig, string>> {
  const work = await workOf(options, place);
  const repository = repositorySettings(options);
  return operatorSettings({ options, work, slots: options.parallel, repository }, place);
}

function repositorySettings({ setup, verify, parallel }: TryOptions) {
  return {
    ...(setup === undefined ? {} : { setup }),
    ...(verify === undefined ? { allowUnverified: true } : { verify }),
    limits: { parallel },
    board: { project: 1 },
    feedback: { quiet: QUIET },
  };
}

async function workOf(options: TryOptions, place: StagePlace): Promise<Work> {
  const { command, runner } = options;
  if (command !== undefined) return typedWork({ ...options, command });
  return runner === undefined ? sampleWork(place, options) : runnersWork(runner, options, place);
}

function agentPath({ folder }: StagePlace): string {
  return join(folder, "agent.mjs");
}

async function writeAgent(place: StagePlace): Promise<void> {
  await mkdir(place.folder, { recursive: true });
  await writeFile(agentPath(place), SAMPLE_AGENT);
}

async function sampleWork(
  place: StagePlace,
  { sandbox: asked }: Pick<TryOptions, "sandbox">,
): Promise<Work> {
  const script = agentPath(place);
  const readable = [process.execPath, script];
  const command = `"${process.execPath}" "${script}"`;
  const sandbox =
    asked === undefined ? await bestSandbox(dataDirOf(place), [process.execPath]) : levelOf(asked);
  return { runner: { command }, readable, sandbox };
}
