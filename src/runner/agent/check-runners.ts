import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { RunnerConfig } from "../../config/schema/runner-schema.ts";
import type { Deps } from "../../ports/deps.ts";
import type { FoundInside } from "../../ports/sandbox.ts";
import { AppError } from "../../shared/app-error.ts";
import { missingKeys, wordMissingKeys } from "../presets/needed-keys.ts";
import type { Preset } from "../presets/preset.ts";
import { PRESETS } from "../presets/presets.ts";
import { firstProgram, namedFiles } from "./named-programs.ts";
import { wordOutside } from "./outside-program.ts";

type CheckDeps = Pick<Deps, "operator" | "sandbox" | "files" | "log" | "notices"> & {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Looks for a program, and files, as a run in the sandbox would. */
  readonly findInside: (question: {
    readonly program: string;
    readonly files: readonly string[];
  }) => Promise<FoundInside>;
};

/** Runs when the app starts: it logs the sandbox, says what runners lack, and refuses what is not safe on this host. */
export async function checkRunners(deps: CheckDeps): Promise<void> {
  const { operator, sandbox, log } = deps;
  const { level } = sandbox;
  if (level === "none") log.warn({ sandbox: level }, "runners have no sandbox");
  else log.info({ sandbox: level }, "sandbox ready");
  tellProcesses(sandbox, log);
  for (const [runner, preset] of presetsOf(operator)) refuseUnsafe(runner, preset, deps);
  await Promise.all(
    Object.entries(operator.runners).map(async ([name, runner]) => {
      for (const trouble of await troublesOf(name, runner, deps)) tell(name, trouble, deps);
    }),
  );
}

function refuseUnsafe(
  runner: string,
  preset: Preset,
  { operator, sandbox }: Pick<Deps, "operator" | "sandbox">,
): void {
  if (sandbox.level === "none" && preset.needsSandbox !== undefined) {
    throw new AppError(
      "config-invalid",
      `runner ${runner} needs a sandbox: ${preset.needsSandbox}`,
    );
  }
  if (operator.runners[runner]?.network === "none" && preset.provider.length > 0) {
    throw new AppError("config-invalid", unreachable(runner, preset));
  }
}

/** Each sentence names something without which no run of it can go well. The server starts all the same: others may work. */
async function troublesOf(
  name: string,
  runner: RunnerConfig,
  deps: CheckDeps,
): Promise<readonly string[]> {
  const keys = missingKeys(runner, deps.environment);
  const outside = await outsideOf(runner, deps);
  return [
    ...(outside === undefined ? [] : [`${outside.what}; ${outside.fix}`]),
    ...(keys.length === 0 ? [] : [wordMissingKeys(name, keys)]),
  ];
}

async function outsideOf(
  { preset, command = "" }: RunnerConfig,
  { operator, sandbox, files, findInside }: CheckDeps,
) {
  const named = preset === undefined ? firstProgram(command) : PRESETS[preset].program;
  if (named === undefined) return undefined;
  const { level } = sandbox;
  const path = await files.findProgram(named);
  // A preset is started by the path that the server found, unless it is in a container.
  const program = preset === undefined || level === "container" ? named : (path ?? named);
  const found = await findInside({ program, files: namedFiles(command) });
  return wordOutside({ program, path, level, image: operator.container.image, found });
}

function tell(runner: string, reason: string, { log, notices }: CheckDeps): void {
  log.error({ runner, reason }, "runner cannot work");
  notices.tell(`runner ${runner}: ${reason}`);
}

function unreachable(runner: string, { provider }: Preset): string {
  const hosts = provider.join(", ");
  return `runner ${runner} can do nothing with network: none; a list, also an empty one ([]), opens the way to ${hosts}`;
}

function tellProcesses({ processes }: Deps["sandbox"], log: Deps["log"]): void {
  if (processes === undefined) return;
  if (processes.ok) log.info({ processes: processes.value }, "processes of commands kept together");
  else log.warn({ reason: processes.error }, "processes may outlive their commands");
}

function presetsOf({ runners }: OperatorConfig): readonly (readonly [string, Preset])[] {
  return Object.entries(runners).flatMap(([name, { preset }]) =>
    preset === undefined ? [] : [[name, PRESETS[preset]] as const],
  );
}
