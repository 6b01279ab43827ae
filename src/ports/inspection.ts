import type { RepoName } from "../domain/ids.ts";
import type { Result } from "../shared/result.ts";
import type { BranchRules, InstalledRepo } from "./github.ts";

/** Why GitHub did not answer as hoped. */
export interface Refusal {
  readonly kind: "silent" | "refused" | "limited";
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** GitHub's own, or the system's. */
  readonly words: string;
}

export type Answer<T> = Result<T, Refusal>;

export type Granted = Readonly<Record<string, string>>;

export interface AppFacts {
  readonly slug: string;
  readonly owner: { readonly login: string; readonly kind: "organization" | "user" };
  readonly permissions: Granted;
  readonly events: readonly string[];
  /** The app's page, e.g. `https://github.com/apps/wavetrain`. */
  readonly page: string;
  /** GitHub's clock when it answered; undefined when it did not tell. */
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
  /** 0 when nobody answered. */
  readonly status: number;
}

export interface InstallationFacts {
  readonly id: number;
  readonly account: string;
  readonly kind: "organization" | "user";
  readonly suspended: boolean;
  readonly permissions: Granted;
  /** Its page of settings. */
  readonly page: string;
}

export interface ProjectField {
  readonly name: string;
  /** GitHub's word, e.g. `NUMBER`. */
  readonly type: string;
  /** Undefined unless it is a single select. */
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
  /** By rulesets, or by the older branch protection, whose rules no app without administration can read. */
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

/** What a look at a set-up learns from GitHub. No question throws. */
export interface Inspection {
  app(): Promise<Answer<AppFacts>>;
  hook(): Promise<Answer<HookFacts>>;
  /** The last ones, newest first. */
  deliveries(): Promise<Answer<readonly DeliveryFact[]>>;
  installations(): Promise<Answer<readonly InstallationFacts[]>>;
  repositories(installation: number): Promise<Answer<readonly InstalledRepo[]>>;
  /** The text of `.github/wavetrain.yml`; undefined when there is none. */
  configFile(repo: RepoName): Promise<Answer<string | undefined>>;
  /** Undefined when there is none. */
  branch(repo: RepoName, name: string): Promise<Answer<BranchFacts | undefined>>;
  rules(repo: RepoName, branch: string): Promise<Answer<BranchRules>>;
  labels(repo: RepoName): Promise<Answer<readonly string[]>>;
  /** Undefined when there is none to be seen. */
  project(repo: RepoName, number: number): Promise<Answer<ProjectFacts | undefined>>;
}

/** What a look at a set-up may make on GitHub. */
export interface Furnishing {
  /** Harmless when there is one of that name. */
  createLabel(repo: RepoName, label: NewLabel): Promise<Answer<void>>;
  createField(repo: RepoName, field: NewProjectField): Promise<Answer<void>>;
}
