import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { Deps } from "../../ports/deps.ts";
import { AppError } from "../../shared/app-error.ts";
import type { Preset } from "../presets/preset.ts";
import { PRESETS } from "../presets/presets.ts";

/** Runs when the app starts: it logs the sandbox, warns of missing programs, and refuses what is not safe on this host. */
export async function checkRunners({
  operator,
  sandbox,
  files,
  log,
}: Pick<Deps, "operator" | "sandbox" | "files" | "log">): Promise<void> {
  const { level } = sandbox;
  if (level === "none") log.warn({ sandbox: level }, "runners have no sandbox");
  else log.info({ sandbox: level }, "sandbox ready");
  tellProcesses(sandbox, log);
  for (const [runner, preset] of presetsOf(operator)) {
    if (level === "none" && preset.needsSandbox !== undefined) {
      throw new AppError(
        "config-invalid",
        `runner ${runner} needs a sandbox: ${preset.needsSandbox}`,
      );
    }
    if (operator.runners[runner]?.network === "none" && preset.provider.length > 0) {
      throw new AppError("config-invalid", unreachable(runner, preset));
    }
    // A container has programs of its own.
    if (level === "container") continue;
    const { program } = preset;
    if ((await files.findProgram(program)) === undefined) {
      log.warn({ runner, program }, "program of a runner not found");
    }
  }
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
