import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { probeBubblewrap } from "../../../adapters/sandbox/bubblewrap.ts";
import type { Reasons } from "../../../config/repository/differences.ts";
import { operatorConfigSchema } from "../../../config/schema/operator-config.ts";
import type { OperatorConfig } from "../../../config/schema/operator-config.ts";
import type { RunnerConfig } from "../../../config/schema/runner-schema.ts";
import type { TryOptions } from "./check-input.ts";
import { SAMPLE_AGENT } from "./sample-project.ts";

/** These say why a trial's settings differ. Everything else is as on a server with an empty file, so a trial shows what people get. */
export const TRIAL_REASONS: Reasons = {
  "github.pacing": "asked for by --pacing off",
  sandbox: "a typed command runs as typed, and a host without bubblewrap has no sandbox",
  pidNamespace:
    "a typed command runs as typed, and without root sudo would not work in a namespace",
  readable: "what the runner needs in its sandbox",
  network: "as the operator's file says",
  container: "as the operator's file says for the runner",
};

interface TrialPlace {
  readonly folder: string;
  /** This is the address of the local GitHub. */
  readonly url: string;
  /** It is written as `owner/name`. */
  readonly repo: string;
}

export async function trialConfig(
  options: TryOptions,
  { folder, url, repo }: TrialPlace,
): Promise<OperatorConfig> {
  const { parallel, verify, pacing } = options;
  const dataDir = join(folder, "app");
  const { runner, ...sandbox } = await runnerOf(options, { folder, dataDir });
  return operatorConfigSchema.parse({
    dataDir,
    ...sandbox,
    server: { port: 0 },
    github: { apiUrl: url, gitUrl: url, pacing },
    runners: { [options.runner?.name ?? "local"]: { ...runner, slots: parallel } },
    slots: parallel,
    repositories: {
      [repo]: {
        ...(verify === undefined ? { allowUnverified: true } : { verify }),
        limits: { parallel },
        board: { project: 1 },
      },
    },
  });
}

interface Place {
  readonly folder: string;
  readonly dataDir: string;
}

type Sandboxing = Partial<
  Pick<OperatorConfig, "sandbox" | "pidNamespace" | "readable" | "container" | "network">
>;

/** Returns the keys of the operator's configuration that say who does the work and in what sandbox. */
async function runnerOf(
  { command, runner }: Pick<TryOptions, "command" | "runner">,
  place: Place,
): Promise<Sandboxing & { readonly runner: Partial<RunnerConfig> }> {
  // The command runs as if it had been typed: it may use files of its user that no sandbox would show.
  if (command !== undefined) return { runner: { command }, sandbox: "none", ...keptAsTyped() };
  if (runner === undefined) return sampleRunner(place);
  const sandboxing = runner.sandbox ?? { sandbox: await bestSandbox(place.dataDir, []) };
  // A trial has no other runner to fall back to.
  return { runner: { ...runner.runner, fallback: [] }, ...sandboxing };
}

/** Root may do the same in a namespace; anybody else would get a user namespace, in which `sudo` does not work. */
function keptAsTyped(): Sandboxing {
  return { pidNamespace: process.getuid?.() === 0 ? "auto" : "none" };
}

async function sampleRunner({ folder, dataDir }: Place) {
  const script = join(folder, "agent.mjs");
  await mkdir(folder, { recursive: true });
  await writeFile(script, SAMPLE_AGENT);
  const readable = [process.execPath, script];
  const command = `"${process.execPath}" "${script}"`;
  return { runner: { command }, readable, sandbox: await bestSandbox(dataDir, readable) };
}

/** A trial uses the sandbox where the host has one, and does without elsewhere. */
async function bestSandbox(dataDir: string, readable: readonly string[]): Promise<"auto" | "none"> {
  const { ok } = await probeBubblewrap({ dataDir, readable, path: "" });
  return ok ? "auto" : "none";
}
