import type { RepoConfig } from "../config/schema.ts";
import type { BranchRules, InstalledRepo } from "../ports/github.ts";
import type { Answer, BranchFacts, ProjectFacts } from "../ports/inspection.ts";
import type { Result } from "../shared/result.ts";

/** One repository that the app is installed on. */
export interface RepoReading {
  readonly installed: InstalledRepo;
  /** Whether the installation may read and write projects. */
  readonly seesProjects: boolean;
  readonly config: Answer<ConfigReading>;
  /** Undefined when the configuration cannot be used. */
  readonly more: RepoDetails | undefined;
}

export interface ConfigReading {
  readonly hasFile: boolean;
  /** The settings, or one line for each thing that is wrong. */
  readonly read: Result<RepoConfig, readonly string[]>;
}

export interface RepoDetails {
  readonly config: RepoConfig;
  readonly base: string;
  /** The base branch; undefined when there is none. */
  readonly branch: Answer<BranchFacts | undefined>;
  readonly rules: Answer<BranchRules>;
  readonly labels: Answer<readonly string[]>;
  /** Undefined on a board of labels. */
  readonly project: Answer<ProjectFacts | undefined> | undefined;
}
