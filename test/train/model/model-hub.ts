import type { PullRequest, RepoReading } from "../../../src/domain/board.ts";
import type { LandingMethod } from "../../../src/domain/entry.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type {
  CloserLook,
  GitHub,
  MergeOutcome,
  PullFacts,
  RefUpdate,
  RefsOutcome,
} from "../../../src/ports/github.ts";
import { isPaths } from "./history.ts";
import type { Files } from "./history.ts";
import type { Objects } from "./objects.ts";
import type { BaseMoved, WatchedHub } from "./watched.ts";

export interface ModelPull {
  readonly number: number;
  readonly branch: string;
  base: string;
  head: Sha;
  state: "open" | "closed" | "merged";
  draft: boolean;
  approvedHead: Sha | undefined;
  mergedAs: Sha | undefined;
  /** Every head that was ever approved. */
  readonly approvals: Set<Sha>;
}

/** Branches and pull requests in memory; pull requests follow their branches as GitHub's do. */
export class ModelHub implements WatchedHub {
  readonly refs = new Map<string, Sha>();
  readonly pulls = new Map<number, ModelPull>();
  /** Where a process put a branch whose lease had ended between its last look and its call. */
  readonly movedLate = new Set<Sha>();
  /** What others put on the base branch. */
  readonly pushed = new Set<Sha>();
  readonly objects: Objects;
  readonly base: string;
  /** Called before the base branch moves. */
  watch: (move: BaseMoved) => void = () => undefined;
  /** Called before a branch is deleted. */
  watchDelete: (branch: string) => void = () => undefined;

  constructor(objects: Objects, base: string, files: Files) {
    this.objects = objects;
    this.base = base;
    this.refs.set(base, objects.write(files, [], "first"));
  }

  get tip(): Sha {
    return this.refs.get(this.base)!;
  }

  openPull(number: number, branch: string, head: Sha): ModelPull {
    this.refs.set(branch, head);
    const pull: ModelPull = {
      number,
      branch,
      base: this.base,
      head,
      state: "open",
      draft: false,
      approvedHead: undefined,
      mergedAs: undefined,
      approvals: new Set<Sha>(),
    };
    this.pulls.set(number, pull);
    return pull;
  }

  approve(pull: ModelPull): void {
    pull.approvedHead = pull.head;
    pull.approvals.add(pull.head);
  }

  reading(readAt: number): RepoReading {
    const open = [...this.pulls.values()].filter(({ state }) => state === "open");
    return { board: { cards: [], missingRoles: [] }, pulls: open.map(pullFrom), readAt };
  }

  factsOf(number: number): PullFacts {
    const { state, head, base, draft, mergedAs } = this.pulls.get(number)!;
    return { state, head, base, draft, mergedAs, inMergeQueue: false };
  }

  closerLook(at: Parameters<GitHub["refreshPulls"]>[1]): CloserLook {
    const pulls = at.pulls.flatMap((number) => this.pulls.get(number) ?? []);
    return {
      pulls: new Map(pulls.map((pull) => [pull.number, pullFrom(pull)])),
      wanted: new Map(at.branches.map((one) => [one, this.openPullsOnto(one).length > 0])),
    };
  }

  updateRefs(updates: readonly RefUpdate[]): RefsOutcome {
    for (const { branch, before, after, force } of updates) {
      const now = this.refs.get(branch);
      if (now !== before) return { kind: "stale", reason: `${branch} is elsewhere` };
      if (!this.objects.has(after)) return { kind: "stale", reason: "no such commit" };
      if (!force && !this.objects.isAncestor(before, after)) {
        return { kind: "stale", reason: "not a fast forward" };
      }
    }
    for (const { branch, after } of updates) this.move(branch, after, "us");
    return { kind: "moved" };
  }

  /** GitHub's merge: onto whatever the base is now. */
  merge(number: number, head: Sha, method: LandingMethod): MergeOutcome {
    const pull = this.pulls.get(number)!;
    if (pull.state !== "open") return { kind: "refused", reason: "not mergeable" };
    if (pull.head !== head) return { kind: "head-moved" };
    const merged = this.objects.merge(this.tip, head);
    if (isPaths(merged)) return { kind: "refused", reason: "not mergeable" };
    const parents = method === "merge" ? [this.tip, head] : [this.tip];
    const commit = this.objects.write(merged, parents, `merge #${number}`);
    pull.state = "merged";
    pull.mergedAs = commit;
    this.move(this.base, commit, "us");
    return { kind: "merged", commit };
  }

  move(branch: string, after: Sha, by: BaseMoved["by"]): void {
    if (branch === this.base) this.watch({ before: this.tip, after, by });
    this.refs.set(branch, after);
    for (const pull of this.pulls.values()) {
      if (pull.state !== "open") continue;
      if (pull.branch === branch) pull.head = after;
      if (pull.base === branch && this.objects.isAncestor(pull.head, after)) {
        pull.state = "merged";
        pull.mergedAs = after;
      }
    }
  }

  deleteBranch(branch: string): void {
    this.watchDelete(branch);
    this.refs.delete(branch);
    for (const pull of this.pulls.values()) {
      const concerned = pull.branch === branch || pull.base === branch;
      if (concerned && pull.state === "open") pull.state = "closed";
    }
  }

  openPullsOnto(branch: string): readonly number[] {
    const onto = [...this.pulls.values()].filter(
      ({ state, base }) => state === "open" && base === branch,
    );
    return onto.map(({ number }) => number);
  }
}

function pullFrom(pull: ModelPull): PullRequest {
  const approved = pull.approvedHead === pull.head;
  return {
    number: pull.number,
    nodeId: `pull-${pull.number}`,
    title: `Change ${pull.number}`,
    branch: pull.branch,
    base: pull.base,
    head: pull.head,
    draft: pull.draft,
    state: pull.state,
    changesRequested: [],
    checksFailed: false,
    review: approved ? "approved" : "none",
    approvedBy: approved ? ["ada"] : [],
    approvedByBots: [],
    approvedHead: approved ? pull.approvedHead : undefined,
  };
}
