import type { RepoConfig } from "../config/schema/repo-config.ts";
import { claimRules } from "../domain/claim/claim-rules.ts";
import { isSharedPath } from "../domain/claim/scope.ts";
import type { Deps } from "../ports/deps.ts";
import type { SetupInputs, Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import type { Copies } from "./decide-copies.ts";

export interface Preparation {
  readonly workspace: Workspace;
  readonly config: Pick<RepoConfig, "setup" | "setupCache">;
  readonly copies: Copies;
  readonly signal: AbortSignal;
}

/**
 * Makes a workspace ready for its runner: setup runs only where what it made before cannot be copied. Resolves to how setup
 * ended, if it did not end well.
 */
export async function prepareWorkspace(
  { workspace, config, copies, signal }: Preparation,
  runSetup: (command: string) => Promise<CommandEnd>,
  deps: Pick<Deps, "git" | "log">,
): Promise<CommandEnd | undefined> {
  const { setup } = config;
  let end: CommandEnd | undefined;
  const make = async (): Promise<boolean> => {
    end = setup === undefined ? { kind: "exited", code: 0 } : await runSetup(setup);
    return end.kind === "exited" && end.code === 0;
  };
  const inputs = copies === "never" ? undefined : inputsOf(config);
  const request = { inputs, mayKeep: copies === "make", signal, make };
  const outcome = await deps.git.provideSetup(workspace, request);
  const log = { repo: workspace.repo, run: workspace.id };
  if (outcome.kind === "failed") return end;
  if (setup !== undefined && outcome.kind === "reused") deps.log.info(log, "setup reused");
  if (outcome.kind === "made" && outcome.notKept !== undefined)
    deps.log.info({ ...log, reason: outcome.notKept }, "setup not kept for other runs");
  return undefined;
}

function inputsOf({ setup, setupCache }: Preparation["config"]): SetupInputs | undefined {
  if (setup === undefined || !setupCache.enabled) return undefined;
  const rules = claimRules({ shared: setupCache.keys });
  return { command: setup, isKeyFile: (path) => isSharedPath(path, rules) };
}
