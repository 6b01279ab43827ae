import { join } from "node:path";
import { probeBubblewrap } from "../../adapters/sandbox/bubblewrap.ts";
import { expectationOf } from "../../config/read/expectation.ts";
import type { Reasons } from "../../config/repository/differences.ts";
import { operatorConfigSchema } from "../../config/schema/operator-config.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { RunnerConfig } from "../../config/schema/runner-schema.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { FoundRunner } from "./find-runner.ts";
import type { StagePlace } from "./stage.ts";
import type { TrialOptions } from "./trial-options.ts";

/** They say why a trial's settings differ. Everything else is as on a server with an empty file, so a trial shows what people get. */
export const TRIAL_REASONS: Reasons = {
  "github.pacing": "asked for by --pacing off",
  sandbox: "a typed command runs as typed, and a host without bubblewrap has no sandbox",
  home: "a typed command runs as typed",
  pidNamespace:
    "a typed command runs as typed, and without root sudo would not work in a namespace",
  readable: "what the runner needs in its sandbox",
  network: "as the operator's file says",
  container: "as the operator's file says for the runner",
};

/** A typed command is known as this runner. */
export const TYPED_RUNNER = "local";

type Sandboxing = Partial<
  Pick<OperatorConfig, "sandbox" | "home" | "pidNamespace" | "readable" | "container" | "network">
>;

/** It has the keys of the operator's configuration that say who does the work and in what sandbox. */
export interface Work extends Sandboxing {
  readonly runner: Partial<RunnerConfig>;
}

export interface TrialSettings {
  readonly options: Pick<TrialOptions, "runner" | "pacing">;
  readonly work: Work;
  readonly slots: number;
  /** They are the settings of the repository. */
  readonly repository: Readonly<Record<string, unknown>>;
  /** They are further settings of the operator. */
  readonly further?: Readonly<Record<string, unknown>>;
}

/** The store, mirrors, workspaces and logs of the app are here. */
export function dataDirOf({ folder }: Pick<StagePlace, "folder">): string {
  return join(folder, "app");
}

/** Puts together what the app is told, or says what does not go together. */
export function operatorSettings(
  { options, work, slots, repository, further }: TrialSettings,
  place: StagePlace,
): Result<OperatorConfig, string> {
  const { runner, ...sandbox } = work;
  const parsed = operatorConfigSchema.safeParse({
    dataDir: dataDirOf(place),
    ...sandbox,
    ...further,
    server: { port: 0 },
    github: { apiUrl: place.url, gitUrl: place.url, pacing: options.pacing },
    runners: { [options.runner?.name ?? TYPED_RUNNER]: { ...runner, slots } },
    slots,
    repositories: { [place.repo]: repository },
  });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return fail(issue === undefined ? "" : `${issue.path.join(".")}: ${expectationOf(issue)}`);
}

type Typed = Pick<TrialOptions, "sandbox" | "home" | "env" | "files"> & {
  readonly command: string;
};

/** The command runs as if it had been typed, with files that no sandbox would show, unless a sandbox or a HOME of its own is asked for. */
export function typedWork({ command, sandbox, home, env, files }: Typed): Work {
  const runner = { command, env: [...env] };
  if (sandbox === "bubblewrap") return { runner, readable: [...files] };
  if (home === "own") return { runner, sandbox: "none", ...keptAsTyped() };
  return { runner: { command }, sandbox: "none", home: "user", ...keptAsTyped() };
}

/** Root may do the same in a namespace; anybody else would get a user namespace, in which `sudo` does not work. */
function keptAsTyped(): Sandboxing {
  return { pidNamespace: process.getuid?.() === 0 ? "auto" : "none" };
}

export async function runnersWork(
  { runner, sandbox: found }: FoundRunner,
  { sandbox }: Pick<TrialOptions, "sandbox">,
  place: StagePlace,
): Promise<Work> {
  const usual = found ?? { sandbox: await bestSandbox(dataDirOf(place), []) };
  const wanted =
    sandbox === undefined ? usual : { ...usual, sandbox: levelOf(sandbox), home: "own" as const };
  // A trial has no other runner to fall back to.
  return { runner: { ...runner, fallback: [] }, ...wanted };
}

/** Bubblewrap is what a server has without asking. */
export function levelOf(sandbox: "bubblewrap" | "none"): "auto" | "none" {
  return sandbox === "none" ? "none" : "auto";
}

/** A trial uses the sandbox where the host has one, and does without elsewhere. */
export async function bestSandbox(
  dataDir: string,
  readable: readonly string[],
): Promise<"auto" | "none"> {
  const { ok: works } = await probeBubblewrap({ dataDir, readable, path: "" });
  return works ? "auto" : "none";
}
