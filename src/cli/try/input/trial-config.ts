import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { probeBubblewrap } from "../../../adapters/sandbox/bubblewrap.ts";
import { expectationOf } from "../../../config/read/expectation.ts";
import type { Reasons } from "../../../config/repository/differences.ts";
import { operatorConfigSchema } from "../../../config/schema/operator-config.ts";
import type { OperatorConfig } from "../../../config/schema/operator-config.ts";
import type { RunnerConfig } from "../../../config/schema/runner-schema.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import type { TryOptions } from "./options.ts";
import { SAMPLE_AGENT } from "./sample-agent.ts";

/** Nobody adds to a review for long while a trial is watched. */
const QUIET = "5s";

/** These say why a trial's settings differ. Everything else is as on a server with an empty file, so a trial shows what people get. */
export const TRIAL_REASONS: Reasons = {
  "github.pacing": "asked for by --pacing off",
  sandbox: "a typed command runs as typed, and a host without bubblewrap has no sandbox",
  home: "a typed command runs as typed",
  pidNamespace:
    "a typed command runs as typed, and without root sudo would not work in a namespace",
  readable: "what the runner needs in its sandbox",
  network: "as the operator's file says",
  container: "as the operator's file says for the runner",
  "repositories.*.feedback.quiet": "nobody waits two minutes for an answer to a review here",
};

interface TrialPlace {
  readonly folder: string;
  /** This is the address of the local GitHub. */
  readonly url: string;
  /** It is written as `owner/name`. */
  readonly repo: string;
}

/** Returns the app's configuration for a trial. Its parts were checked before, so it is never refused. */
export async function trialConfig(options: TryOptions, place: TrialPlace): Promise<OperatorConfig> {
  const settings = await trialSettings(options, place);
  if (!settings.ok) throw new Error(settings.error);
  if (options.command === undefined && options.runner === undefined) await writeAgent(place);
  return settings.value;
}

/** Puts together what the options say, or says what does not go together. */
export async function trialSettings(
  options: TryOptions,
  place: TrialPlace,
): Promise<Result<OperatorConfig, string>> {
  const { parallel, pacing } = options;
  const dataDir = join(place.folder, "app");
  const { runner, ...sandbox } = await runnerOf(options, place);
  const parsed = operatorConfigSchema.safeParse({
    dataDir,
    ...sandbox,
    server: { port: 0 },
    github: { apiUrl: place.url, gitUrl: place.url, pacing },
    runners: { [options.runner?.name ?? "local"]: { ...runner, slots: parallel } },
    slots: parallel,
    repositories: { [place.repo]: repositorySettings(options) },
  });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return fail(issue === undefined ? "" : `${issue.path.join(".")}: ${expectationOf(issue)}`);
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

type Sandboxing = Partial<
  Pick<OperatorConfig, "sandbox" | "home" | "pidNamespace" | "readable" | "container" | "network">
>;

interface Work extends Sandboxing {
  readonly runner: Partial<RunnerConfig>;
}

/** Returns the keys of the operator's configuration that say who does the work and in what sandbox. */
async function runnerOf(options: TryOptions, { folder }: TrialPlace): Promise<Work> {
  const { command, runner, sandbox, env, files } = options;
  const dataDir = join(folder, "app");
  if (command !== undefined) return typedRunner({ command, sandbox, env, files });
  if (runner === undefined) return sampleRunner(folder, sandbox);
  const usual = runner.sandbox ?? { sandbox: await bestSandbox(dataDir, []) };
  const wanted =
    sandbox === undefined ? usual : { ...usual, sandbox: levelOf(sandbox), home: "own" as const };
  // A trial has no other runner to fall back to.
  return { runner: { ...runner.runner, fallback: [] }, ...wanted };
}

/** The command runs as if it had been typed, with files and logins of its user that no sandbox would show, unless a sandbox was asked for. */
function typedRunner({
  command,
  sandbox,
  env,
  files,
}: Pick<TryOptions, "sandbox" | "env" | "files"> & { readonly command: string }): Work {
  if (sandbox === "bubblewrap") {
    return { runner: { command, env: [...env] }, readable: [...files] };
  }
  return { runner: { command }, sandbox: "none", home: "user", ...keptAsTyped() };
}

/** Bubblewrap is what a server has without asking. */
function levelOf(sandbox: "bubblewrap" | "none"): "auto" | "none" {
  return sandbox === "none" ? "none" : "auto";
}

/** Root may do the same in a namespace; anybody else would get a user namespace, in which `sudo` does not work. */
function keptAsTyped(): Sandboxing {
  return { pidNamespace: process.getuid?.() === 0 ? "auto" : "none" };
}

function agentPath(folder: string): string {
  return join(folder, "agent.mjs");
}

async function writeAgent({ folder }: TrialPlace): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(agentPath(folder), SAMPLE_AGENT);
}

async function sampleRunner(folder: string, sandbox: TryOptions["sandbox"]): Promise<Work> {
  const script = agentPath(folder);
  const readable = [process.execPath, script];
  const command = `"${process.execPath}" "${script}"`;
  const asked = sandbox && levelOf(sandbox);
  const usual = asked ?? (await bestSandbox(join(folder, "app"), [process.execPath]));
  return { runner: { command }, readable, sandbox: usual };
}

/** A trial uses the sandbox where the host has one, and does without elsewhere. */
async function bestSandbox(dataDir: string, readable: readonly string[]): Promise<"auto" | "none"> {
  const { ok: works } = await probeBubblewrap({ dataDir, readable, path: "" });
  return works ? "auto" : "none";
}
