import type { Instant, RepoName } from "./ids.ts";

/** Somebody ended the pause of a runner: what its runs met with before says nothing any more. */
export interface RunnerLift {
  readonly id: string;
  /** A run of this repository had led to the pause. The lift holds for all of them. */
  readonly repo: RepoName;
  readonly runner: string;
  readonly by: string;
  readonly at: Instant;
}
