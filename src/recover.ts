import { clearHomes } from "./clear-homes.ts";
import type { Deps } from "./deps.ts";
import { runId } from "./domain/ids.ts";
import type { RepoName } from "./domain/ids.ts";
import type { Run } from "./domain/run.ts";
import type { Workspace } from "./ports/git.ts";

/** A run that an earlier life of the app began and that can go on. */
export interface InheritedRun {
  readonly repo: RepoName;
  readonly run: Run;
}

/**
 * What a crash left behind. A run goes on when its workspace and its commands are there and its repository is still watched;
 * of everything else the processes end, the work is saved and the folders go. To be called before anything starts.
 */
export async function recover(
  deps: Deps,
  readWatched: () => Promise<readonly RepoName[]>,
): Promise<readonly InheritedRun[]> {
  const workspaces = await deps.git.listWorkspaces();
  const watched = new Set(workspaces.length === 0 ? [] : await readWatched());
  const commands = (await deps.processes.list()).map(ownerOf);
  const inherited: InheritedRun[] = [];
  for (const workspace of workspaces) {
    const run = await unfinishedRun(workspace, deps);
    if (run !== undefined && watched.has(workspace.repo) && commands.includes(run.id)) {
      inherited.push({ repo: workspace.repo, run });
    } else await clearWorkspace(workspace, deps);
  }
  const kept = new Set<string>(inherited.map(({ run }) => run.id));
  for (const owner of new Set(commands)) if (!kept.has(owner)) await clearCommands(owner, deps);
  await clearHomes(deps);
  return inherited;
}

/** Commands are called `run/step`. */
function ownerOf(command: string): string {
  return command.slice(0, command.lastIndexOf("/"));
}

async function unfinishedRun({ repo, id }: Workspace, deps: Deps): Promise<Run | undefined> {
  const { runs, tasks } = await deps.store.readRepo(repo);
  const run = runs.find((candidate) => candidate.id === runId(id));
  const task = tasks.find((candidate) => candidate.id === run?.task);
  return run?.state === "running" && task?.state === "running" ? run : undefined;
}

async function clearWorkspace(workspace: Workspace, deps: Deps): Promise<void> {
  const { repo, id } = workspace;
  await clearCommands(id, deps);
  await deps.git.rescueWorkspace(workspace);
  await deps.git.closeWorkspace(workspace);
  deps.log.warn({ repo, run: id }, "workspace of a lost run cleared");
}

async function clearCommands(owner: string, { processes, host }: Deps): Promise<void> {
  await processes.reap(host.markerOf(owner));
  await processes.forget(owner);
  await host.removeTmp(owner);
  // Only a verification has a HOME by its own name.
  await host.removeHome(owner);
}
