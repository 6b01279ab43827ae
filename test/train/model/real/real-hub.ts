import { standingReviews } from "../../../../local-github/model/pull-request.ts";
import type { PullRequest } from "../../../../local-github/model/pull-request.ts";
import { branchSha } from "../../../../local-github/model/repository.ts";
import type { Repository } from "../../../../local-github/model/repository.ts";
import type { LocalGitHub } from "../../../../local-github/start-local-github.ts";
import { sha } from "../../../../src/domain/ids.ts";
import type { Sha } from "../../../../src/domain/ids.ts";
import type { ModelPull } from "../model-hub.ts";
import type { WatchedHub } from "../watched.ts";
import type { GitObjects } from "./git-objects.ts";

interface Parts {
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly objects: GitObjects;
}

/** The local GitHub and its bare repository, as the invariants look at them. */
export class RealHub implements WatchedHub {
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly objects: GitObjects;
  readonly movedLate = new Set<Sha>();
  readonly pushed = new Set<Sha>();
  /** Every head that was ever approved. */
  readonly #approvals = new Map<number, Set<Sha>>();
  #tip: Sha;
  watch: WatchedHub["watch"] = () => undefined;
  watchDelete: WatchedHub["watchDelete"] = () => undefined;

  constructor({ github, repository, objects }: Parts) {
    this.github = github;
    this.repository = repository;
    this.objects = objects;
    this.#tip = this.#readTip();
  }

  get base(): string {
    return this.repository.defaultBranch;
  }

  get tip(): Sha {
    return this.#tip;
  }

  get pulls(): ReadonlyMap<number, ModelPull> {
    return new Map(this.#threads().map((pull) => [pull.number, this.#viewOf(pull)]));
  }

  openPullsOnto(branch: string): readonly number[] {
    const onto = this.#threads().filter(
      ({ state, baseRef }) => state === "open" && baseRef === branch,
    );
    return onto.map(({ number }) => number);
  }

  pull(number: number): PullRequest {
    const found = this.#threads().find((pull) => pull.number === number);
    if (found === undefined) throw new Error(`there is no #${number}`);
    return found;
  }

  approve(number: number): void {
    const pull = this.pull(number);
    if (pull.state !== "open") return;
    this.github.as("bob").approve(pull);
    const given = this.#approvals.get(number) ?? new Set<Sha>();
    this.#approvals.set(number, given.add(sha(pull.headSha)));
  }

  /** After each thing that anyone does: says who moved the base, while `tip` is still where it was. */
  follow(by: "us" | "others"): void {
    const after = this.#readTip();
    if (after === this.#tip) return;
    try {
      this.watch({ before: this.#tip, after, by });
    } finally {
      this.#tip = after;
    }
  }

  #readTip(): Sha {
    const tip = branchSha(this.repository, this.base);
    if (tip === undefined) throw new Error("the base branch is gone");
    return sha(tip);
  }

  #threads(): readonly PullRequest[] {
    return [...this.github.world.threads.values()].filter(
      (thread): thread is PullRequest =>
        thread.kind === "pull-request" && thread.repository === this.repository,
    );
  }

  #viewOf(pull: PullRequest): ModelPull {
    const approved = standingReviews(pull).find(({ state }) => state === "APPROVED");
    return {
      number: pull.number,
      branch: pull.headRef,
      base: pull.baseRef,
      head: sha(pull.headSha),
      draft: pull.draft,
      state: pull.landing === null ? pull.state : "merged",
      approvedHead: approved && sha(approved.commitSha),
      mergedAs: pull.landing === null ? undefined : sha(pull.landing.sha),
      approvals: this.#approvals.get(pull.number) ?? new Set(),
    };
  }
}
