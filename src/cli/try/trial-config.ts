import { join } from "node:path";
import type { Reasons } from "../../config/differences.ts";
import { operatorConfigSchema } from "../../config/schema.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import { runnerOf } from "./runner-of.ts";
import type { TryOptions } from "./try-options.ts";

/** Everything else is as on a server with an empty file: a trial shows what people get. */
export const TRIAL_REASONS: Reasons = {
  "github.pacing": "asked for by --pacing off",
  sandbox: "a typed command runs as typed, and a host without bubblewrap has no sandbox",
  pidNamespace:
    "a typed command runs as typed, and without root sudo would not work in a namespace",
  readable: "what the runner needs in its sandbox",
  network: "as the operator's file says",
  container: "as the operator's file says for the runner",
};

export interface TrialPlace {
  readonly folder: string;
  /** Of the local GitHub. */
  readonly url: string;
  /** As `owner/name`. */
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
