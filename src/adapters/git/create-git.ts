import type { RepoName } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { Leftovers } from "../../ports/leftovers.ts";
import { isInPlace } from "./assert-in-place.ts";
import { buildCandidate } from "./candidate.ts";
import { keepCandidate } from "./candidate-refs.ts";
import { closeWorkspace, putWorkspaceAside } from "./close-workspace.ts";
import { commitWorkspace, diffWorkspace } from "./commit-workspace.ts";
import { createDirectories } from "./directories.ts";
import { createGitLeftovers } from "./git-leftovers.ts";
import { createHistory } from "./history.ts";
import { listWorkspaces } from "./list-workspaces.ts";
import { createMirrorGit, type GitOptions } from "./mirror-git.ts";
import { openWorkspace } from "./open-workspace.ts";
import { pathsBehind } from "./paths-behind.ts";
import { provideSetup } from "./provide-setup.ts";
import { createRemote } from "./remote.ts";
import { rescueWorkspace } from "./rescue-workspace.ts";
import { createTending, tendMirrors } from "./tend-mirrors.ts";

export interface GitWithLeftovers extends Git {
  readonly leftovers: Leftovers;
}

export function createGit(options: GitOptions): GitWithLeftovers {
  const git = createMirrorGit(options);
  const tend = createTending(git);
  const tended =
    <Rest extends readonly unknown[], T>(ask: (repo: RepoName, ...rest: Rest) => Promise<T>) =>
    (repo: RepoName, ...rest: Rest): Promise<T> =>
      tend(repo, () => ask(repo, ...rest));
  const remote = createRemote(git);
  const history = createHistory(git);
  return {
    ...remote,
    fetchBranch: tended(remote.fetchBranch),
    fetchBranches: tended(remote.fetchBranches),
    fetchCommit: tended(remote.fetchCommit),
    pushBranch: (request) => tend(request.repo, () => remote.pushBranch(request)),
    stageCommit: tended(remote.stageCommit),
    treeOf: tended(history.treeOf),
    parentsOf: tended(history.parentsOf),
    mergeBase: tended(history.mergeBase),
    isAncestor: tended(history.isAncestor),
    directoriesOf: tended(createDirectories(git).directoriesOf),
    openWorkspace: (request) => tend(request.repo, () => openWorkspace(git, request)),
    provideSetup: (workspace, request) => provideSetup(git, workspace, request),
    diffWorkspace: (workspace, options) =>
      tend(workspace.repo, () => diffWorkspace(git, workspace, options)),
    commitWorkspace: (workspace, request) =>
      tend(workspace.repo, () => commitWorkspace(git, workspace, request)),
    pathsBehind: (workspace) => pathsBehind(git, workspace),
    closeWorkspace: (workspace) => closeWorkspace(git, workspace),
    listWorkspaces: () => listWorkspaces(git),
    rescueWorkspace: (workspace, options) => rescueWorkspace(git, workspace, options),
    isInPlace: ({ repo, id }) => isInPlace(git.layout, git.layout.slot(repo, id)),
    putWorkspaceAside: (workspace, why) => putWorkspaceAside(git, workspace, why),
    keepCandidate: (repo, kept) => keepCandidate(git, repo, kept),
    buildCandidate: (request) => tend(request.repo, () => buildCandidate(git, request)),
    tendMirrors: () => tendMirrors(git),
    close: () => git.close(),
    leftovers: createGitLeftovers(git),
  };
}
