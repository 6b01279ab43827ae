import { clearHomes } from "../cleanup/clear-homes.ts";
import { runId } from "../domain/ids.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Deps } from "../ports/deps.ts";
import type { Workspace } from "../ports/git.ts";
import { wordsOf } from "../shared/app-error.ts";
import { lookForLostStore } from "./lost-store.ts";

/** A run that an earlier life of the app began and that can go on. */
export interface InheritedRun {
  readonly repo: RepoName;
  readonly run: Run;
}

type RecoverDeps = Pick<
  Deps,
  "git" | "host" | "log" | "lostStore" | "notices" | "processes" | "store"
>;

/**
 * Takes up what a crash left behind. A run goes on when its workspace and its commands are there and its repository is still watched;
 * of everything else the processes end, the work is saved and the folders go. Each is dealt with by itself: whatever cannot be
 * understood or taken away is put aside and said, and holds up none of the others. This is called before anything starts.
 */
export async function recover(
  deps: RecoverDeps,
  readWatched: () => Promise<readonly RepoName[]>,
): Promise<readonly InheritedRun[]> {
  await lookForLostStore(deps, await deps.git.tendMirrors());
  const workspaces = await deps.git.listWorkspaces();
  const watched = new Set(workspaces.length === 0 ? [] : await readWatched());
  const commands = (await deps.processes.list()).map(ownerOf);
  const inherited: InheritedRun[] = [];
  for (const found of workspaces) {
    const { run, isUnfinished, workspace } = await runIn(found, deps);
    const isWanted = isUnfinished && watched.has(workspace.repo);
    const canGoOn = isWanted && commands.includes(run.id) && (await deps.git.isInPlace(workspace));
    if (canGoOn) inherited.push({ repo: workspace.repo, run });
    else await clearWorkspace(workspace, run, deps);
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

type FoundRun = { readonly workspace: Workspace } & (
  | { readonly run: Run; readonly isUnfinished: true }
  | { readonly run: Run | undefined; readonly isUnfinished: false }
);

/** Where the note that says whose workspace it is was spoilt, the store knows which run is at work in it. */
async function runIn(found: Workspace, deps: Pick<Deps, "store">): Promise<FoundRun> {
  const { repo, id, path } = found;
  const { runs, tasks } = await deps.store.readRepo(repo);
  const isInIt = (one: Run): boolean => one.state === "running" && one.workspace === path;
  const run = runs.find((one) => one.id === runId(id)) ?? runs.find(isInIt);
  const task = tasks.find((one) => one.id === run?.task);
  const workspace = { ...found, id: run?.id ?? id };
  const isUnfinished = run?.state === "running" && task?.state === "running";
  return isUnfinished ? { workspace, run, isUnfinished } : { workspace, run, isUnfinished };
}

async function clearWorkspace(
  workspace: Workspace,
  run: Run | undefined,
  deps: Pick<Deps, "git" | "host" | "log" | "notices" | "processes">,
): Promise<void> {
  const { repo, id } = workspace;
  await unlessStuck(`the workspace ${id}`, deps, async () => {
    await endCommands(id, deps);
    try {
      await deps.git.rescueWorkspace(workspace, { wasEntered: run?.startedAt !== undefined });
    } catch (error) {
      await deps.git.putWorkspaceAside(workspace, `its work cannot be saved: ${wordsOf(error)}`);
      return;
    }
    await deps.git.closeWorkspace(workspace);
    deps.log.warn({ repo, run: id }, "workspace of a lost run cleared");
  });
}

function clearCommands(
  owner: string,
  deps: Pick<Deps, "host" | "log" | "notices" | "processes">,
): Promise<void> {
  return unlessStuck(`what ${owner} left`, deps, () => endCommands(owner, deps));
}

async function endCommands(
  owner: string,
  { processes, host }: Pick<Deps, "host" | "processes">,
): Promise<void> {
  await processes.reap(host.markerOf(owner));
  await processes.forget(owner);
  await host.removeTmp(owner);
  // Only a verification has a HOME by its own name.
  await host.removeHome(owner);
}

/** Trouble with one leftover, such as a process that does not end, is said and does not hold up the others. */
async function unlessStuck(
  what: string,
  { log, notices }: Pick<Deps, "log" | "notices">,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (err) {
    log.error({ leftover: what, err }, "leftover left alone");
    notices.tell(`${what} is left alone until the next start: ${wordsOf(err)}`);
  }
}
