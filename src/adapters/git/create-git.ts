import type { RepoName, Sha } from "../../domain/ids.ts";
import type { FilesOf, Git, LfsQuestion } from "../../ports/git.ts";
import type { Leftovers } from "../../ports/leftovers.ts";
import { buildCandidate } from "./candidate/build-candidate.ts";
import { catchUp } from "./candidate/catch-up.ts";
import { keepEvaluation } from "./candidate/evaluation-refs.ts";
import { withFilesOf } from "./candidate/with-files-of.ts";
import { handlesLfs } from "./lfs/git-lfs.ts";
import { judgeLfsFiles } from "./lfs/judge-files.ts";
import { sendContent } from "./lfs/send-content.ts";
import { createFilesIn } from "./mirror/files-in.ts";
import { createDirectories, createHistory } from "./mirror/history.ts";
import { findOutOfReach } from "./mirror/find-out-of-reach.ts";
import { createMirrorGit, type GitOptions, type MirrorGit } from "./mirror/mirror-git.ts";
import { branchRef } from "./mirror/refs.ts";
import { createRemote } from "./remote/remote.ts";
import { layWork } from "./rescue/lay-work.ts";
import { rescueWorkspace } from "./rescue/rescue-workspace.ts";
import { provideSetup } from "./setup/provide-setup.ts";
import { followNames } from "./upkeep/follow-names.ts";
import { createGitLeftovers } from "./upkeep/git-leftovers.ts";
import { createTending, tendMirrors } from "./upkeep/tend-mirrors.ts";
import { closeWorkspace, putWorkspaceAside } from "./workspace/close-workspace.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import { commitWorkspace, diffWorkspace } from "./workspace/workspace-changes.ts";
import { isInPlace, listWorkspaces, gitPaths } from "./workspace/workspace-places.ts";

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
    pushBranch: (request) => tend(request.repo, () => pushBranch(git, remote, request)),
    stageCommit: tended(remote.stageCommit),
    treeOf: tended(history.treeOf),
    parentsOf: tended(history.parentsOf),
    mergeBase: tended(history.mergeBase),
    isAncestor: tended(history.isAncestor),
    directoriesOf: tended(createDirectories(git).directoriesOf),
    outOfReachIn: tended(async (repo, commit: Sha) =>
      findOutOfReach(git, repo, { commit, handlesLfs: await handlesLfs(git, repo) }),
    ),
    refusedLfsIn: tended((repo, question: LfsQuestion) => judgeLfsFiles(git, repo, question)),
    filesIn: tended(createFilesIn(git)),
    withFilesOf: tended((repo, request: FilesOf) => withFilesOf(git, repo, request)),
    openWorkspace: (request) => tend(request.repo, () => openWorkspace(git, request)),
    provideSetup: (workspace, request) => provideSetup(git, workspace, request),
    layWork: (workspace, saved) => tend(workspace.repo, () => layWork(git, workspace, saved)),
    diffWorkspace: (workspace, options) =>
      tend(workspace.repo, () => diffWorkspace(git, workspace, options)),
    commitWorkspace: (workspace, request) =>
      tend(workspace.repo, () => commitWorkspace(git, workspace, request)),
    gitPaths: (workspace) => gitPaths(git, workspace),
    closeWorkspace: (workspace) => closeWorkspace(git, workspace),
    listWorkspaces: () => listWorkspaces(git),
    rescueWorkspace: (workspace, options) => rescueWorkspace(git, workspace, options),
    isInPlace: ({ repo, place }) => isInPlace(git.layout, git.layout.workspaceFolder(repo, place)),
    putWorkspaceAside: (workspace, why) => putWorkspaceAside(git, workspace, why),
    keepEvaluation: (repo, kept) => keepEvaluation(git, repo, kept),
    catchUp: (request) => tend(request.repo, () => catchUp(git, request)),
    buildCandidate: (request) => tend(request.repo, () => buildCandidate(git, request)),
    tendMirrors: () => tendMirrors(git),
    followNames: (names) => followNames(git, names),
    close: () => git.close(),
    leftovers: createGitLeftovers(git),
  };
}

/** Sends the content of files before the pointers to it. */
async function pushBranch(
  git: MirrorGit,
  remote: Pick<Git, "pushBranch">,
  request: Parameters<Git["pushBranch"]>[0],
): ReturnType<Git["pushBranch"]> {
  const { repo, branch, commit } = request;
  const refused = await sendContent(git, repo, { ref: branchRef(branch), commit });
  return refused ?? remote.pushBranch(request);
}
