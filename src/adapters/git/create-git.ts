import type { Git } from "../../ports/git.ts";
import type { Leftovers } from "../../ports/leftovers.ts";
import { buildCandidate } from "./candidate.ts";
import { keepCandidate } from "./candidate-refs.ts";
import { closeWorkspace } from "./close-workspace.ts";
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

export interface GitWithLeftovers extends Git {
  readonly leftovers: Leftovers;
}

export function createGit(options: GitOptions): GitWithLeftovers {
  const git = createMirrorGit(options);
  return {
    ...createRemote(git),
    ...createHistory(git),
    ...createDirectories(git),
    openWorkspace: (request) => openWorkspace(git, request),
    provideSetup: (workspace, request) => provideSetup(git, workspace, request),
    diffWorkspace: (workspace, options) => diffWorkspace(git, workspace, options),
    commitWorkspace: (workspace, request) => commitWorkspace(git, workspace, request),
    pathsBehind: (workspace) => pathsBehind(git, workspace),
    closeWorkspace: (workspace) => closeWorkspace(git, workspace),
    listWorkspaces: () => listWorkspaces(git),
    rescueWorkspace: (workspace, options) => rescueWorkspace(git, workspace, options),
    keepCandidate: (repo, kept) => keepCandidate(git, repo, kept),
    buildCandidate: (request) => buildCandidate(git, request),
    close: () => git.close(),
    leftovers: createGitLeftovers(git),
  };
}
