import type { OutOfReach } from "../domain/claim/out-of-reach.ts";
import type { Candidate, LandingMethod } from "../domain/entry.ts";
import type { EntryId, Instant, RepoName, RunId, Sha } from "../domain/ids.ts";
import type { RepoNaming } from "../domain/ids.ts";

/** This is a git worktree that a run or a verification owns while it lasts. */
export interface Workspace {
  /** This names the run or the verification that owns it. */
  readonly id: string;
  /** Its folder is called so. The runs of a task have the same folder one after the other, since programs keep their sessions by folder. */
  readonly place: string;
  readonly repo: RepoName;
  readonly path: string;
  readonly base: Sha;
  /** Git LFS keeps these, and the remote does not have their content: they are pointers here. */
  readonly lacking?: readonly string[];
}

/** This names work that `rescueWorkspace` saved. What was saved under the same name earlier is not meant. */
export interface SavedWork {
  readonly id: string;
  readonly since: Instant;
}

/** `conflict` means that the work does not fit on the base as it is now, and `none` that there is none: the files are the base's then. */
export type LaidWork = "laid" | "conflict" | "none";

/** This is what a runner changed in its workspace compared with the base, whether it committed the changes or not. */
export interface WorkspaceDiff {
  /** Every path that differs is listed, sorted. Both sides of renames and deletions are included. */
  readonly paths: readonly string[];
  /** This is the workspace's whole content at that moment. */
  readonly tree: Sha;
}

export interface LfsQuestion {
  readonly tree: Sha;
  readonly base: Sha;
  /** Only these count. */
  readonly paths: readonly string[];
}

/** `plain` files have content in a pointer's place, and those of `no-content` point to content that nobody has. */
export interface RefusedLfs {
  readonly kind: "plain" | "no-content";
  readonly paths: readonly string[];
}

export interface DiffOptions {
  /** The default is the base of the workspace. */
  readonly against?: Sha | undefined;
  /** This is the tree of an earlier diff, which is used instead of the present files. */
  readonly tree?: Sha;
}

export interface CommitRequest {
  readonly message: string;
  /** The default is the app itself. */
  readonly author?: { readonly name: string; readonly email: string };
  /** This is the tree of an earlier diff. The default is the workspace as it is now. */
  readonly tree?: Sha;
  /** The same content at the same moment gives the same commit. The default is now. */
  readonly at?: Instant;
}

/** These inputs decide what `setup` makes. */
export interface SetupInputs {
  readonly command: string;
  readonly isKeyFile: (path: string) => boolean;
}

export interface SetupRequest {
  /** If this is undefined, nothing that setup makes is kept or reused. */
  readonly inputs: SetupInputs | undefined;
  /**
   * This says whether others may get a copy of what setup makes here. They may only when the base alone decides what that is:
   * setup then begins in a tree in which nobody ever was.
   */
  readonly mayKeep: boolean;
  readonly signal: AbortSignal;
  /** Runs setup in the workspace and says whether it went well. */
  readonly make: () => Promise<boolean>;
}

export type SetupOutcome =
  | { readonly kind: "reused" }
  | { readonly kind: "made"; readonly notKept: string | undefined }
  | { readonly kind: "failed" };

export type PushOutcome =
  | { readonly kind: "pushed" }
  | {
      readonly kind: "rejected";
      readonly reason: string;
      /** GitHub found workflow files that differ from the default branch's, which only a permission of its own allows. */
      readonly workflows?: boolean;
    };

export interface CatchUpRequest {
  readonly repo: RepoName;
  readonly head: Sha;
  /** This is the tip of the base branch, which the mirror has. */
  readonly base: Sha;
  /** Puts the commits anew on the base. Otherwise the base is merged into the branch. */
  readonly rewrite: boolean;
  /** The merge has this message. */
  readonly message: string;
}

/**
 * `current` means that the workflow files are the base's already, and `own-workflows` that the change itself touches some, so that no
 * newer base would make them the same.
 */
export type CaughtUp =
  | { readonly kind: "current" }
  | { readonly kind: "own-workflows" }
  | { readonly kind: "caught-up"; readonly commit: Sha }
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

/** This is one change of a candidate. */
export interface CandidatePart {
  readonly entry: EntryId;
  readonly head: Sha;
  /** The commit that lands the change has this message. A rebase keeps the messages that are there. */
  readonly message: string;
}

export interface CandidateRequest {
  readonly repo: RepoName;
  readonly base: Sha;
  readonly method: LandingMethod;
  readonly parts: readonly CandidatePart[];
}

/** `at` is the place of the part that does not fit on top of those before it. */
export type CandidateOutcome =
  | { readonly kind: "built"; readonly candidate: Candidate }
  | { readonly kind: "conflict"; readonly at: number; readonly paths: readonly string[] }
  | { readonly kind: "missing"; readonly at: number; readonly reason: string };

export interface WantedFiles {
  readonly matches: (path: string) => boolean;
  readonly maxFiles: number;
  /** Each of the files may have so many. */
  readonly maxBytes: number;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** `path` is the first one that is in the way. `not-text` means that its content or its name is no UTF-8, or that there is a NUL. */
export type FilesIn =
  | { readonly kind: "read"; readonly files: readonly TextFile[] }
  | { readonly kind: "too-many"; readonly count: number }
  | { readonly kind: "too-large"; readonly path: string }
  | { readonly kind: "not-text"; readonly path: string };

export interface FilesOf {
  readonly commit: Sha;
  /** Matching paths are as they are here. */
  readonly from: Sha;
  readonly matches: (path: string) => boolean;
}

/** Runs git on this host, with one bare mirror per repository and worktrees from it. Tokens are never written to disk. */
export interface Git {
  /**
   * Brings the branch's tip into the mirror, which is made on first use. If the caller is content with the tip as it was at some
   * moment or later (`since`), the remote is asked only if nobody has asked it since then.
   */
  fetchBranch(repo: RepoName, branch: string, since?: Instant): Promise<Sha>;
  /** Does the same for several branches at once and returns the tip of each by its name. */
  fetchBranches(repo: RepoName, branches: readonly string[]): Promise<ReadonlyMap<string, Sha>>;
  /** Brings a commit of the remote into the mirror when no branch of ours leads to it. */
  fetchCommit(repo: RepoName, commit: Sha): Promise<void>;
  /**
   * Opens a clean, detached worktree at `base`. `place` names its folder, `id` does if it is left out, and both can be used again after
   * `closeWorkspace`: until then whoever else wants the folder waits for a while and is refused then. A worktree that an earlier process
   * left open under the same id is returned as it is, at the base that it had then. A `fresh` one has no file or folder that another
   * workspace had, nor one that was left under its name.
   */
  openWorkspace(request: {
    readonly repo: RepoName;
    readonly id: RunId | string;
    readonly place?: string;
    readonly base: Sha;
    readonly fresh?: boolean;
  }): Promise<Workspace>;
  /**
   * Gives the workspace what setup makes, before its runner starts: either a copy of what setup made before for the same key
   * files, or the result of `make`.
   */
  provideSetup(workspace: Workspace, request: SetupRequest): Promise<SetupOutcome>;
  /**
   * Puts what was saved of earlier work into a workspace that nobody has worked in yet, uncommitted and on top of its base: the first of
   * these that is there. Told again, it answers as before and touches nothing.
   */
  layWork(workspace: Workspace, saved: readonly SavedWork[]): Promise<LaidWork>;
  diffWorkspace(workspace: Workspace, options?: DiffOptions): Promise<WorkspaceDiff>;
  /** Makes one commit on top of the base with the workspace's whole content, whatever the runner did to HEAD or the index. */
  commitWorkspace(workspace: Workspace, request: CommitRequest): Promise<Sha>;
  /**
   * Lists the folders outside of the workspace that git must read to work in it: first its own repository, then what it shares
   * with others.
   */
  gitPaths(workspace: Workspace): readonly string[];
  closeWorkspace(workspace: Workspace): Promise<void>;
  /** Lists the workspaces on disk that nobody closed, e.g. after a crash. */
  listWorkspaces(): Promise<readonly Workspace[]>;
  /**
   * Saves everything in the workspace on `refs/wavetrain/rescue/<id>` of the mirror. If its files are safe already, it does so
   * only when the runner committed by itself. A workspace that was never complete has nothing to save, unless a runner is known to
   * have entered it. The tree of an earlier diff is saved instead of the present files.
   */
  rescueWorkspace(
    workspace: Workspace,
    options?: {
      readonly filesAreSafe?: boolean;
      readonly wasEntered?: boolean;
      readonly tree?: Sha | undefined;
    },
  ): Promise<Sha | undefined>;
  /** Says whether its worktree is there, and is not something else with the same name. */
  isInPlace(workspace: Workspace): Promise<boolean>;
  /** Moves a workspace out of the way, unchanged, when it can be neither used nor saved. */
  putWorkspaceAside(workspace: Workspace, why: string): Promise<void>;
  /**
   * Must be called before anything else. It removes what an earlier process of the app left half done in the mirrors, and moves
   * damaged mirrors aside, which are then made anew from the remote. It returns the repositories that have a mirror.
   */
  tendMirrors(): Promise<readonly RepoName[]>;
  /** Brings mirrors to the names that their repositories have now. Nothing may be under way in a repository that was renamed. */
  followNames(names: readonly RepoNaming[]): Promise<void>;
  /** Names the commit in the mirror, so that it is kept. The ref comes from `evaluationRef`. */
  keepEvaluation(
    repo: RepoName,
    kept: { readonly ref: string; readonly commit: Sha },
  ): Promise<void>;

  /** Brings a change whose workflow files are older than the base's up to the base. It makes objects only and touches no branch. */
  catchUp(request: CatchUpRequest): Promise<CaughtUp>;
  /**
   * Moves the remote branch to the commit. It replaces only the `expected` commit (undefined means that the branch must not
   * exist). A branch that is at the commit already counts as pushed.
   */
  pushBranch(request: {
    readonly repo: RepoName;
    readonly branch: string;
    readonly commit: Sha;
    readonly expected: Sha | "any" | undefined;
  }): Promise<PushOutcome>;
  deleteBranch(repo: RepoName, branch: string): Promise<void>;
  remoteBranch(repo: RepoName, branch: string): Promise<Sha | undefined>;
  /** Reads where GitHub has seen the heads of pull requests. This costs none of the API's budget. */
  pullHeads(repo: RepoName, pulls: readonly number[]): Promise<ReadonlyMap<number, Sha>>;

  /**
   * Puts the parts on top of the base one after the other. It makes objects only and touches no branch. Directory-rename detection
   * is off.
   */
  buildCandidate(request: CandidateRequest): Promise<CandidateOutcome>;
  /** Puts the commit on the remote under one of our own full ref names, whatever was there. */
  stageCommit(repo: RepoName, ref: string, commit: Sha): Promise<PushOutcome>;
  /** Removes such a ref. It is fine if the ref is gone already. */
  unstage(repo: RepoName, ref: string): Promise<void>;
  /** Lists the paths of every directory in the commit, including submodules. The commit must be in the mirror. */
  directoriesOf(repo: RepoName, commit: Sha): Promise<ReadonlySet<string>>;
  /** Finds submodules, and files that Git LFS keeps where the host has no git-lfs. The commit must be in the mirror. */
  outOfReachIn(repo: RepoName, commit: Sha): Promise<OutOfReach>;
  /** Finds files among a run's changes that Git LFS keeps, and that must not land as they are. */
  refusedLfsIn(repo: RepoName, question: LfsQuestion): Promise<RefusedLfs | undefined>;
  /** Reads the commit's files whose paths match, sorted by path, where links and submodules are no files. The commit must be in the mirror. */
  filesIn(repo: RepoName, commit: Sha, wanted: WantedFiles): Promise<FilesIn>;
  /**
   * Returns the commit itself if every matching path in it is as it is in `from`, and otherwise a commit on top of it where that is so:
   * what `from` lacks is gone there, and so is whatever was in the way of what it has. The same input gives the same commit on any host.
   * A path is what git has written down: one in another letter case is another, and so is one that a link beside the matching ones leads to.
   * Attributes change nothing here, but those of the change count when the commit is checked out, unless `.gitattributes` match, too.
   */
  withFilesOf(repo: RepoName, request: FilesOf): Promise<Sha>;
  treeOf(repo: RepoName, commit: Sha): Promise<Sha>;
  parentsOf(repo: RepoName, commit: Sha): Promise<readonly Sha[]>;
  /** Finds where two histories part. The result is undefined when they have nothing in common. */
  mergeBase(repo: RepoName, one: Sha, other: Sha): Promise<Sha | undefined>;
  isAncestor(repo: RepoName, ancestor: Sha, descendant: Sha): Promise<boolean>;
  /** Ends the processes that are kept running to answer sooner. The next question starts them again. */
  close(): Promise<void>;
}
