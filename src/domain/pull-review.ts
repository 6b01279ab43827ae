/** A remark on a line of the change. */
export interface LineComment {
  readonly path: string;
  /** Undefined for a remark on the whole file, or on a line that is no longer there. */
  readonly line: number | undefined;
  readonly text: string;
  readonly at: number;
}

/** What someone said about a pull request in one go. */
export interface PullReview {
  readonly id: string;
  /** Undefined for an account that is gone. */
  readonly by: string | undefined;
  /** By a program. */
  readonly automated: boolean;
  readonly state: "approved" | "changes-requested" | "commented" | "dismissed";
  readonly body: string;
  readonly comments: readonly LineComment[];
  readonly at: number;
}

/** A check of the pull request's head that ended badly. */
export interface FailedCheck {
  readonly name: string;
  /** What it says about itself, and its remarks on lines. */
  readonly text: string;
  readonly at: number;
}
