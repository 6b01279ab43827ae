import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { BestScore, IdeaSource } from "../../domain/exploration.ts";
import type { RawTrialOptions, TrialOptions } from "../trial/trial-options.ts";

/** These are the options as commander gives them. */
export interface RawExploreOptions extends RawTrialOptions {
  readonly repo: string;
  readonly ideas?: readonly string[];
  readonly idea?: readonly string[];
  readonly ask?: string;
  readonly task: string;
  readonly taskFile?: string;
  readonly score?: string;
  readonly scoreFiles?: readonly string[];
  readonly best: string;
  readonly depth?: string;
  readonly beam?: string;
  readonly maxParallelEvals: string;
  readonly maxParallelPerNode?: string;
  readonly evalRetries?: string;
  readonly evalTimeoutSeconds?: string;
  readonly patience?: string;
  readonly strict?: boolean;
  readonly files?: readonly string[];
  readonly home: string;
}

/** What is undefined here comes from the repository's own settings, or is the default. */
export interface WantedLimits {
  readonly depth: number | undefined;
  readonly beam: number | undefined;
  readonly parallel: number;
  readonly perNode: number | undefined;
  readonly retries: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly patience: number | undefined;
  readonly strict: boolean;
}

export interface WantedScore {
  readonly run: string;
  /** They are taken from the base before each scoring. */
  readonly files: readonly string[];
  readonly best: BestScore;
}

/** These are the checked options of `wavetrain explore`. */
export interface ExploreOptions extends TrialOptions {
  readonly repo: string;
  /** This branch is checked out there. */
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  readonly ideas: IdeaSource;
  /** There are so many of them. */
  readonly ideaCount: number;
  readonly score: WantedScore;
  readonly limits: WantedLimits;
  /** These files may be changed. */
  readonly claims: readonly string[];
}

/** It has the settings with which the repository is explored: its own, with the options laid over them. */
export interface ExplorePlanned extends ExploreOptions {
  readonly config: RepoConfig;
}
