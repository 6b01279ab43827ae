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
  const remote = createRemote(git);
  const history = createHistory(git);
  return {
    ...remote,
    ...history,
    ...createDirectories(git),
    fetchBranch: (repo, branch, since) => tend(repo, () => remote.fetchBranch(repo, branch, since)),
    fetchBranches: (repo, branches) => tend(repo, () => remote.fetchBranches(repo, branches)),
    pushBranch: (request) => tend(request.repo, () => remote.pushBranch(request)),
    treeOf: (repo, commit) => tend(repo, () => history.treeOf(repo, commit)),
    parentsOf: (repo, commit) => tend(repo, () => history.parentsOf(repo, commit)),
    mergeBase: (repo, one, other) => tend(repo, () => history.mergeBase(repo, one, other)),
    isAncestor: (repo, ancestor, descendant) =>
      tend(repo, () => history.isAncestor(repo, ancestor, descendant)),
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
