import type { Account, User } from "./account.ts";
import type { Installation } from "./app.ts";
import type { CheckRun, CommitStatus } from "./check.ts";
import type { Comment, Issue } from "./issue.ts";
import type { MergeGroup, RemovalReason } from "./merge-queue.ts";
import type { FieldOption, Project, ProjectField, ProjectItem } from "./project.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import type { Label, Repository } from "./repository.ts";

/** Is anything that happens here and that a webhook can tell. `sender` did it. */
export type WorldEvent = { readonly sender: User } & (
  | IssueEvent
  | CommentEvent
  | PullRequestEvent
  | ProjectEvent
  | RelationEvent
  | CodeEvent
  | InstallationEvent
);

export type IssueEvent =
  | {
      readonly name: "issues";
      readonly action: "opened" | "closed" | "reopened";
      readonly issue: Issue;
    }
  | {
      readonly name: "issues";
      readonly action: "labeled" | "unlabeled";
      readonly issue: Issue;
      readonly label: Label;
    }
  | {
      readonly name: "issues";
      readonly action: "edited";
      readonly issue: Issue;
      readonly changes: TextChanges;
    };

export interface TextChanges {
  readonly title?: { readonly from: string };
  readonly body?: { readonly from: string };
}

interface BaseChange {
  readonly base?: {
    readonly ref: { readonly from: string };
    readonly sha: { readonly from: string };
  };
}

export type CommentEvent =
  | {
      readonly name: "issue_comment";
      readonly action: "created" | "deleted";
      readonly comment: Comment;
    }
  | {
      readonly name: "issue_comment";
      readonly action: "edited";
      readonly comment: Comment;
      readonly previous: string;
    };

export type PullRequestEvent =
  | {
      readonly name: "pull_request";
      readonly action:
        "opened" | "closed" | "reopened" | "ready_for_review" | "converted_to_draft" | "enqueued";
      readonly pull: PullRequest;
    }
  | {
      readonly name: "pull_request";
      readonly action: "labeled" | "unlabeled";
      readonly pull: PullRequest;
      readonly label: Label;
    }
  | {
      readonly name: "pull_request";
      readonly action: "synchronize";
      readonly pull: PullRequest;
      readonly before: string;
    }
  | {
      readonly name: "pull_request";
      readonly action: "edited";
      readonly pull: PullRequest;
      readonly changes: TextChanges & BaseChange;
    }
  | {
      readonly name: "pull_request";
      readonly action: "dequeued";
      readonly pull: PullRequest;
      readonly reason: RemovalReason;
    }
  | {
      readonly name: "pull_request_review";
      readonly action: "submitted" | "dismissed";
      readonly review: Review;
    };

export type FieldFact = null | string | number | FieldOption;

export type ProjectEvent =
  | {
      readonly name: "projects_v2_item";
      readonly action: "created" | "deleted" | "reordered";
      readonly item: ProjectItem;
    }
  | {
      readonly name: "projects_v2_item";
      readonly action: "edited";
      readonly item: ProjectItem;
      readonly field: ProjectField;
      readonly from: FieldFact;
      readonly to: FieldFact;
    }
  | {
      readonly name: "projects_v2_item";
      readonly action: "archived" | "restored";
      readonly item: ProjectItem;
      readonly from: string | null;
      readonly to: string | null;
    }
  | {
      readonly name: "projects_v2";
      readonly action: "created" | "edited" | "closed" | "reopened";
      readonly project: Project;
    };

export type RelationEvent =
  | {
      readonly name: "issue_dependencies";
      readonly action:
        "blocked_by_added" | "blocked_by_removed" | "blocking_added" | "blocking_removed";
      readonly blocked: Issue;
      readonly blocking: Issue;
    }
  | {
      readonly name: "sub_issues";
      readonly action:
        "sub_issue_added" | "sub_issue_removed" | "parent_issue_added" | "parent_issue_removed";
      readonly parent: Issue;
      readonly subIssue: Issue;
    };

export type CodeEvent =
  | {
      readonly name: "push";
      readonly action: null;
      readonly repository: Repository;
      readonly ref: string;
      readonly before: string | null;
      readonly after: string | null;
      readonly forced: boolean;
      readonly commits: readonly PushedCommit[];
    }
  | {
      readonly name: "check_run";
      readonly action: "created" | "completed" | "rerequested";
      readonly run: CheckRun;
    }
  | {
      readonly name: "check_run";
      readonly action: "requested_action";
      readonly run: CheckRun;
      readonly identifier: string;
    }
  | MergeGroupEvent
  | { readonly name: "status"; readonly action: null; readonly status: CommitStatus }
  | {
      readonly name: "label";
      readonly action: "created";
      readonly label: Label;
    }
  | RepositoryEvent;

export type RepositoryEvent = {
  readonly name: "repository";
  readonly repository: Repository;
} & (
  | { readonly action: "renamed"; readonly from: string }
  | { readonly action: "transferred"; readonly from: Account }
);

export type MergeGroupEvent = {
  readonly name: "merge_group";
  readonly repository: Repository;
  /** This is the full name, such as `refs/heads/main`. */
  readonly baseRef: string;
  readonly group: MergeGroup;
} & (
  | { readonly action: "checks_requested" }
  | { readonly action: "destroyed"; readonly reason: "merged" | "invalidated" | "dequeued" }
);

export interface PushedCommit {
  readonly id: string;
  readonly tree: string;
  readonly message: string;
  readonly timestamp: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly committer: { readonly name: string; readonly email: string };
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly removed: readonly string[];
}

export type InstallationEvent =
  | {
      readonly name: "installation";
      readonly action: "created" | "deleted" | "new_permissions_accepted";
      readonly installation: Installation;
    }
  | {
      readonly name: "installation_repositories";
      readonly action: "added" | "removed";
      readonly installation: Installation;
      readonly repositories: readonly Repository[];
    }
  | {
      readonly name: "installation_target";
      readonly action: "renamed";
      readonly installation: Installation;
      readonly from: string;
    };
