import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { OutOfReach } from "../../domain/claim/out-of-reach.ts";
import type { BranchRules, InstalledRepo } from "../../ports/github.ts";
import type { Answer, BranchFacts, ProjectFacts } from "../../ports/inspection.ts";
import type { Result } from "../../shared/result.ts";

/** This is one repository that the app is installed on. */
export interface RepoReading {
  readonly installed: InstalledRepo;
  /** It says why the app leaves the repository alone; undefined when it takes part. */
  readonly leftAlone: "no-file" | "denied" | undefined;
  /** It says whether the installation may read and write projects. */
  readonly seesProjects: boolean;
  /** It is the version of git-lfs on this machine, or why there is none. */
  readonly gitLfs: Result<string, string>;
  readonly config: Answer<ConfigReading>;
  /** It is undefined when the configuration cannot be used. */
  readonly more: RepoDetails | undefined;
}

export interface ConfigReading {
  readonly hasFile: boolean;
  /** It holds the settings, or one line for each thing that is wrong. */
  readonly read: Result<RepoConfig, readonly string[]>;
}

export interface RepoDetails {
  readonly config: RepoConfig;
  readonly base: string;
  /** This is the base branch; undefined when there is none. */
  readonly branch: Answer<BranchFacts | undefined>;
  readonly rules: Answer<BranchRules>;
  readonly labels: Answer<readonly string[]>;
  readonly outOfReach: Answer<OutOfReach>;
  /** It is undefined on a board of labels. */
  readonly project: Answer<ProjectFacts | undefined> | undefined;
}
