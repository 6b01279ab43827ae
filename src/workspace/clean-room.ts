import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { RepoName, Sha } from "../domain/ids.ts";
import type { Deps } from "../ports/deps.ts";
import type { CommandEnd } from "../ports/processes.ts";
import type { Workspace } from "../ports/git.ts";
import { formatBytes } from "../shared/format.ts";
import { plainName } from "../shared/quote.ts";
import { copiesOfVerification } from "./decide-copies.ts";
import { readTail, withExecute } from "./execute.ts";
import type { Execution } from "./execute.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";

/** Says what is run on which commit. */
export interface CleanCommand {
  readonly repo: RepoName;
  readonly commit: Sha;
  readonly config: Pick<RepoConfig, "setup" | "setupCache" | "timeouts">;
  /** Its workspace and its log are called so, with something new behind it. */
  readonly name: string;
  readonly execution: Pick<Execution, "command" | "timeoutMs"> & {
    readonly step: "verify" | "score";
  };
  /** Setup may not change these: it runs code of the commit, which could write anywhere. */
  readonly isKept?: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface CleanEnd {
  readonly end: CommandEnd;
  /** This is the end of what was printed, with what the command could not say itself. */
  readonly tail: string;
  readonly logPath: string;
}

/** Names what a clean room touches of the world. */
export type CleanRoomDeps = Pick<
  Deps,
  "files" | "git" | "host" | "log" | "operator" | "ports" | "processes" | "sandbox"
>;

/**
 * Runs setup and one command, as the default branch has them, in a workspace of their own at exactly this commit. No run ever had its hands
 * on it: it has new files, a new HOME, and either no copy of setup or one that was made before any agent could touch it.
 */
export async function runInCleanRoom(
  { repo, commit, config, name, execution, isKept, signal }: CleanCommand,
  deps: CleanRoomDeps,
): Promise<CleanEnd> {
  // The name is new, so no folder is found under it, and no earlier command's end is taken for this one's.
  const id = `${name}-${deps.host.nonce()}`;
  const workspace = await deps.git.openWorkspace({ repo, id, base: commit, fresh: true });
  try {
    const { network } = deps.operator;
    const options = { workspace, id, home: id, variables: {}, network: network.train, signal };
    const { failed, ...end } = await withExecute(options, deps, async (execute) => {
      const unprepared = await prepareWorkspace(
        { workspace, config, copies: copiesOfVerification(deps.sandbox.level), signal },
        (setup) => execute({ step: "setup", command: setup, timeoutMs: config.timeouts.verify }),
        deps,
      );
      if (unprepared !== undefined)
        return { ...unprepared, failed: `\nsetup failed: ${config.setup ?? ""}` };
      const changed = isKept && (await changedBySetup({ workspace, isKept }, deps));
      if (changed !== undefined)
        return { ...NOT_RUN, failed: `\nsetup changed ${plainName(changed)}, which it may not` };
      return { ...(await execute(execution)), failed: "" };
    });
    const tail = await readTail(id, deps);
    const logPath = deps.host.logPath(id);
    return { end, tail: `${tail}${lastWordsOn(end)}${failed}`, logPath };
  } finally {
    await deps.processes.forget(id);
    await deps.host.removeHome(id);
    await deps.git.closeWorkspace(workspace);
  }
}

const NOT_RUN = { kind: "exited", code: 1 } as const;

interface Kept {
  readonly workspace: Workspace;
  readonly isKept: (path: string) => boolean;
}

async function changedBySetup(
  { workspace, isKept }: Kept,
  { git }: Pick<CleanRoomDeps, "git">,
): Promise<string | undefined> {
  return (await git.diffWorkspace(workspace)).paths.find(isKept);
}

/** Adds what the command could not say itself. */
function lastWordsOn(end: CommandEnd): string {
  if (end.kind === "disk-limit")
    return `\nstopped: it took more than ${formatBytes(end.limitBytes)} of disk (maxRunDisk)`;
  return end.kind === "vanished" ? "\nkilled together with what watches over it" : "";
}
