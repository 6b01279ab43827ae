import type { User } from "./account.ts";
import type { Label, Repository } from "./repository.ts";

export interface Comment {
  readonly kind: "comment";
  readonly id: number;
  readonly nodeId: string;
  readonly author: User;
  /** It is on this issue or pull request. */
  readonly on: Thread;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
}

export type ReactionContent =
  "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

export interface Reaction {
  readonly id: number;
  readonly nodeId: string;
  readonly user: User;
  readonly content: ReactionContent;
  readonly createdAt: string;
}

/** Is one version of a thread's body: GraphQL's `UserContentEdit`. */
export interface ContentEdit {
  readonly kind: "content-edit";
  readonly nodeId: string;
  readonly editor: User;
  readonly editedAt: string;
  /** This is the whole body as it was afterwards. */
  readonly body: string;
}

export interface TimelineEvent {
  readonly id: number;
  readonly nodeId: string;
  readonly actor: User;
  readonly createdAt: string;
  readonly what: TimelineFact;
}

export type TimelineFact =
  | { readonly event: "labeled" | "unlabeled"; readonly label: Label }
  | { readonly event: "closed"; readonly reason: StateReason; readonly commitSha: string | null }
  | { readonly event: "reopened"; readonly reason: StateReason }
  | { readonly event: "renamed"; readonly from: string; readonly to: string }
  | { readonly event: "commented"; readonly comment: Comment }
  | { readonly event: "merged"; readonly commitSha: string }
  | {
      readonly event: "added_to_project_v2" | "removed_from_project_v2";
      readonly projectNodeId: string;
    }
  | {
      readonly event: "project_v2_item_status_changed";
      readonly projectNodeId: string;
      readonly previousStatus: string;
      readonly status: string;
    };

export type StateReason = "completed" | "not_planned" | "duplicate" | "reopened" | null;

/** Holds the parts that issues and pull requests share: one number sequence, title, body, labels, comments, timeline. */
export interface Thread {
  readonly kind: "issue" | "pull-request";
  /** This is the database id that the issues API shows; a pull request has a second one, `pullId`. */
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly number: number;
  readonly author: User;
  title: string;
  body: string | null;
  state: "open" | "closed";
  closedAt: string | null;
  closedBy: User | null;
  labels: Label[];
  readonly assignees: User[];
  readonly comments: Comment[];
  readonly timeline: TimelineEvent[];
  readonly createdAt: string;
  updatedAt: string;
  /** These say when and by whom the body was last edited: GraphQL's `lastEditedAt` and `editor`. */
  editedAt: string | null;
  editor: User | null;
  /** The oldest comes first, beginning with the body as it was opened; the list is empty while the body was never edited. */
  readonly edits: ContentEdit[];
}

export interface Issue extends Thread {
  readonly kind: "issue";
  stateReason: StateReason;
  readonly blockedBy: Issue[];
  parent: Issue | null;
  readonly subIssues: Issue[];
}
