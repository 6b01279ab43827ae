import type { OutOfReach } from "../domain/claim/out-of-reach.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Result } from "../shared/result.ts";
import type { BranchRules, InstalledRepo } from "./github.ts";

/** Says why GitHub did not answer as hoped. */
export interface Refusal {
  readonly kind: "silent" | "refused" | "limited";
  /** This is undefined when no answer came. */
  readonly status: number | undefined;
  /** These are GitHub's own words, or the system's. */
  readonly words: string;
}

export type Answer<T> = Result<T, Refusal>;

export type Granted = Readonly<Record<string, string>>;

export interface AppFacts {
  readonly slug: string;
  /** It is undefined when GitHub does not tell. */
  readonly owner: { readonly login: string; readonly kind: "organization" | "user" } | undefined;
  readonly permissions: Granted;
  readonly events: readonly string[];
  /** This is the app's page, e.g. `https://github.com/apps/wavetrain`. */
  readonly page: string;
  /** This is GitHub's time when it answered. It is undefined when GitHub did not tell. */
  readonly answeredAt: number | undefined;
}

export interface HookFacts {
  readonly url: string | undefined;
  readonly signed: boolean;
  readonly json: boolean;
  readonly checksCertificate: boolean;
}

export interface DeliveryFact {
  readonly event: string;
  /** This is 0 when nobody answered. */
  readonly status: number;
}

export interface InstallationFacts {
  readonly id: number;
  readonly account: string;
  readonly kind: "organization" | "user";
  readonly suspended: boolean;
  readonly permissions: Granted;
  /** This is the installation's page of settings. */
  readonly page: string;
}

export interface ProjectField {
  readonly name: string;
  /** This is GitHub's word for the type, e.g. `NUMBER`. */
  readonly type: string;
  /** This is undefined unless the field is a single select. */
  readonly options: readonly string[] | undefined;
}

export interface ProjectFacts {
  readonly id: string;
  readonly title: string;
  readonly closed: boolean;
  readonly writable: boolean;
  readonly cards: number;
  readonly fields: readonly ProjectField[];
}

export interface BranchFacts {
  /**
   * The branch is protected by rulesets or by the older branch protection. An app without administration cannot read the rules of
   * the latter.
   */
  readonly protected: boolean;
}

export interface NewLabel {
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface NewProjectField {
  readonly project: string;
  readonly name: string;
  readonly type: "TEXT" | "NUMBER";
}

/** Asks GitHub what a check of the set-up must know. No question throws. */
export interface Inspection {
  app(): Promise<Answer<AppFacts>>;
  hook(): Promise<Answer<HookFacts>>;
  /** Reads the last deliveries, newest first. */
  deliveries(): Promise<Answer<readonly DeliveryFact[]>>;
  installations(): Promise<Answer<readonly InstallationFacts[]>>;
  repositories(installation: number): Promise<Answer<readonly InstalledRepo[]>>;
  /** Reads the text of `.github/wavetrain.yml`. It is undefined when there is none. */
  configFile(repo: RepoName): Promise<Answer<string | undefined>>;
  /** Reads from the files at the root of the branch what no run can change. */
  outOfReach(repo: RepoName, branch: string): Promise<Answer<OutOfReach>>;
  /** The answer is undefined when there is no such branch. */
  branch(repo: RepoName, name: string): Promise<Answer<BranchFacts | undefined>>;
  rules(repo: RepoName, branch: string): Promise<Answer<BranchRules>>;
  labels(repo: RepoName): Promise<Answer<readonly string[]>>;
  /** The answer is undefined when we can see no such project. */
  project(repo: RepoName, number: number): Promise<Answer<ProjectFacts | undefined>>;
}

/** Makes on GitHub what a check of the set-up may make there. */
export interface SetupWriter {
  /** This is harmless when a label of that name is there. */
  createLabel(repo: RepoName, label: NewLabel): Promise<Answer<void>>;
  createField(repo: RepoName, field: NewProjectField): Promise<Answer<void>>;
}

/** This is a folder that the app would use. */
export interface FolderFacts {
  readonly path: string;
  readonly exists: boolean;
  /** This says why nothing can be written there. */
  readonly unwritable: string | undefined;
  readonly freeBytes: number | undefined;
}

/** `held` means that a running server has the store, as it should be. */
export type StoreFacts =
  | { readonly state: "new" | "good" }
  | { readonly state: "held" | "unusable"; readonly reason: string };
