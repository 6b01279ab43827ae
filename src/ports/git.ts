import type { Candidate, LandingMethod } from "../domain/entry.ts";
import type { EntryId, Instant, RepoName, RunId, Sha } from "../domain/ids.ts";

/** A git worktree that a run or a verification owns while it lasts. */
export interface Workspace {
  readonly id: string;
  readonly repo: RepoName;
  readonly path: string;
  readonly base: Sha;
}

/** What a runner left in its workspace, compared with the base: committed by itself or not. */
export interface WorkspaceDiff {
  /** Every path that differs, both sides of renames, deletions included; sorted. */
  readonly paths: readonly string[];
  /** The workspace's whole content at that moment. */
  readonly tree: Sha;
}

export interface DiffOptions {
  /** The base of the workspace unless given. */
  readonly against?: Sha | undefined;
  /** Looks at what an earlier look saw, not at the files as they are now. */
  readonly tree?: Sha;
}

export interface CommitRequest {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** What a diff saw; the workspace as it is now unless given. */
  readonly tree?: Sha;
  /** Committing the same for the same moment gives the same commit; now unless given. */
  readonly at?: Instant;
}

/** What decides what `setup` makes. */
export interface SetupInputs {
  readonly command: string;
  readonly isKeyFile: (path: string) => boolean;
}

export interface SetupRequest {
  /** Undefined: nothing that setup makes is kept or reused. */
  readonly inputs: SetupInputs | undefined;
  /**
   * Whether others may get a copy of what setup makes here: only when the base alone decides what that is. Setup then begins in
   * a tree in which nobody ever was.
   */
  readonly mayKeep: boolean;
  readonly signal: AbortSignal;
  /** Runs setup in the workspace; whether it went well. */
  readonly make: () => Promise<boolean>;
}

export type SetupOutcome =
  | { readonly kind: "reused" }
  | { readonly kind: "made"; readonly notKept: string | undefined }
  | { readonly kind: "failed" };

export type PushOutcome =
  { readonly kind: "pushed" } | { readonly kind: "rejected"; readonly reason: string };

/** One change of a candidate. */
export interface CandidatePart {
  readonly entry: EntryId;
  readonly head: Sha;
  /** Of the commit that lands it; a rebase keeps the messages that are there. */
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

/** Git on this host: one bare mirror per repository, worktrees from it. Tokens are never written to disk. */
export interface Git {
  /**
   * Brings the branch's tip into the mirror, made on first use. Where the caller is content with the tip as it was at some
   * moment or later (`since`), the remote is asked only if nobody has asked it since then.
   */
  fetchBranch(repo: RepoName, branch: string, since?: Instant): Promise<Sha>;
  /** The same for several branches, asked for at once; the tip of each by its name. */
  fetchBranches(repo: RepoName, branches: readonly string[]): Promise<ReadonlyMap<string, Sha>>;
  /** Brings a commit of the remote into the mirror that no branch of ours leads to. */
  fetchCommit(repo: RepoName, commit: Sha): Promise<void>;
  /**
   * A clean worktree at `base`, detached; `id` names its folder and is free to be used again after `closeWorkspace`. One that an
   * earlier process left open is given back as it is, at the base that it had then. A `fresh` one has no file or folder that
   * another workspace had, nor one that was left under its name.
   */
  openWorkspace(request: {
    readonly repo: RepoName;
    readonly id: RunId | string;
    readonly base: Sha;
    readonly fresh?: boolean;
  }): Promise<Workspace>;
  /** Gives the workspace, before its runner starts, what setup makes: a copy of what it made before for the same key files, or `make` does it. */
  provideSetup(workspace: Workspace, request: SetupRequest): Promise<SetupOutcome>;
  diffWorkspace(workspace: Workspace, options?: DiffOptions): Promise<WorkspaceDiff>;
  /** One commit on top of the base with the workspace's whole content, whatever the runner did to HEAD or the index. */
  commitWorkspace(workspace: Workspace, request: CommitRequest): Promise<Sha>;
  /** Folders outside of the workspace that git needs to read in it: first its own repository, then what it shares with others. */
  pathsBehind(workspace: Workspace): readonly string[];
  closeWorkspace(workspace: Workspace): Promise<void>;
  /** Workspaces on disk that no one closed, e.g. after a crash. */
  listWorkspaces(): Promise<readonly Workspace[]>;
  /**
   * Saves everything in the workspace on `refs/wavetrain/rescue/<id>` of the mirror; where its files are safe already, only if
   * the runner committed by itself. One that was never whole has nothing to save, unless a runner is known to have entered it.
   */
  rescueWorkspace(
    workspace: Workspace,
    options?: { readonly filesAreSafe?: boolean; readonly wasEntered?: boolean },
  ): Promise<Sha | undefined>;
  /** Whether its worktree is there, and is not something else by the same name. */
  isInPlace(workspace: Workspace): Promise<boolean>;
  /** Keeps the workspace as it is out of the way, where it can be neither used nor saved. */
  putWorkspaceAside(workspace: Workspace, why: string): Promise<void>;
  /**
   * To be called before anything else: takes away what an earlier life of the app left half done in the mirrors, and moves
   * those aside that are damaged. They are made anew from the remote. Answers which repositories have one.
   */
  tendMirrors(): Promise<readonly RepoName[]>;
  /** Names the commit in the mirror, so that it stays; the ref is one of `candidateRef`. */
  keepCandidate(
    repo: RepoName,
    kept: { readonly ref: string; readonly commit: Sha },
  ): Promise<void>;

  /**
   * Moves the remote branch to the commit; it may replace only what is `expected` there (undefined = it must not exist). A branch
   * that is at the commit already counts as pushed.
   */
  pushBranch(request: {
    readonly repo: RepoName;
    readonly branch: string;
    readonly commit: Sha;
    readonly expected: Sha | "any" | undefined;
  }): Promise<PushOutcome>;
  deleteBranch(repo: RepoName, branch: string): Promise<void>;
  remoteBranch(repo: RepoName, branch: string): Promise<Sha | undefined>;
  /** Where GitHub has seen the heads of pull requests. Costs none of the API's budget. */
  pullHeads(repo: RepoName, pulls: readonly number[]): Promise<ReadonlyMap<number, Sha>>;

  /** Puts the parts on top of the base one after the other, as objects only; touches no branch. Directory-rename detection is off. */
  buildCandidate(request: CandidateRequest): Promise<CandidateOutcome>;
  /** Puts the commit on the remote under a full ref name of ours, whatever was there. */
  stageCommit(repo: RepoName, ref: string, commit: Sha): Promise<PushOutcome>;
  /** Takes such a ref away again; one that is gone is fine. */
  unstage(repo: RepoName, ref: string): Promise<void>;
  /** Paths of every directory in the commit, submodules included; the commit has to be in the mirror. */
  directoriesOf(repo: RepoName, commit: Sha): Promise<ReadonlySet<string>>;
  treeOf(repo: RepoName, commit: Sha): Promise<Sha>;
  parentsOf(repo: RepoName, commit: Sha): Promise<readonly Sha[]>;
  /** Where two histories part; undefined when they have nothing in common. */
  mergeBase(repo: RepoName, one: Sha, other: Sha): Promise<Sha | undefined>;
  isAncestor(repo: RepoName, ancestor: Sha, descendant: Sha): Promise<boolean>;
  /** Ends what is kept running to answer sooner; whoever asks again starts it again. */
  close(): void;
}
