import type { FoundRepository } from "../connection/connection.ts";
import type { CardFact, ColumnRole } from "../../../domain/board.ts";

interface Nodes<T> {
  readonly nodes: readonly (T | null)[] | null;
}

/** It is the beginning of a list, or all of it if it is short. */
export interface ShortList<T> extends Nodes<T> {
  readonly pageInfo?: Connected<T>["pageInfo"];
}

export interface BlockerNode {
  readonly number: number;
  readonly state: "OPEN" | "CLOSED";
  readonly stateReason: string | null;
  readonly parent?: {
    readonly number: number;
    readonly repository: { readonly nameWithOwner: string };
  } | null;
  readonly repository: { readonly nameWithOwner: string };
}

export interface IssueNode extends Omit<BlockerNode, "parent"> {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: ShortList<{ readonly name: string }> | null;
  readonly blockedBy: ShortList<BlockerNode>;
  readonly parent: {
    readonly id?: string;
    readonly number: number;
    readonly repository: { readonly nameWithOwner: string };
    readonly labels: ShortList<{ readonly name: string }> | null;
    readonly blockedBy: ShortList<BlockerNode>;
  } | null;
}

/** This is one page of a list; its cursor says where the next page begins. */
export interface Connected<T> extends Nodes<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface FactNode {
  readonly text?: string | null;
  readonly number?: number | null;
  readonly name?: string | null;
}

/** A field of a type that we do not read, such as an iteration, comes as an empty object. */
export interface FieldNode {
  readonly id?: string;
  readonly name?: string;
  readonly dataType?: string;
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

export interface ContentStamp {
  readonly updatedAt?: string;
  readonly issueDependenciesSummary?: {
    readonly blockedBy: number;
    readonly totalBlockedBy: number;
  };
}

/** It tells whether a card changed. */
export interface StampNode {
  readonly id: string;
  readonly isArchived: boolean;
  readonly updatedAt: string;
  readonly status: { readonly name?: string | null; readonly updatedAt?: string } | null;
  readonly content:
    ({ readonly __typename: string; readonly parent?: ContentStamp | null } & ContentStamp) | null;
}

export interface ItemNode
  extends Omit<StampNode, "content">, Partial<Record<CardFact, FactNode | null>> {
  readonly type?: string;
  readonly content: (StampNode["content"] & Partial<IssueNode>) | null;
}

export interface PullNode {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly headRefName: string;
  readonly headRefOid: string;
  readonly baseRefName: string;
  readonly isDraft: boolean;
  readonly statusCheckRollup?: { readonly state: string } | null;
  readonly latestOpinionatedReviews: ShortList<ReviewNode> | null;
}

export interface ReviewNode {
  readonly id: string;
  readonly submittedAt: string | null;
  readonly state: string;
  readonly author: { readonly __typename: string; readonly login: string } | null;
  readonly commit: { readonly oid: string } | null;
}

export interface ProjectNode {
  readonly id: string;
  readonly closed?: boolean;
  readonly fields: Nodes<FieldNode>;
}

export interface ProjectPage extends ProjectNode {
  readonly items: Connected<ItemNode>;
}

interface FoundPulls extends FoundRepository {
  readonly pullRequests: Connected<PullNode>;
}

export interface ReadingPage {
  readonly account?: { readonly projectV2: ProjectPage | null } | null;
  readonly repository?: FoundPulls | null;
}

/** The pages are called `page0`, `page1`, and so on. */
export interface IndexAnswer {
  readonly account?: {
    readonly projectV2:
      (ProjectNode & Readonly<Record<`page${number}`, Connected<StampNode>>>) | null;
  } | null;
  readonly repository?: FoundPulls | null;
}

export interface LabelledIssueNode extends IssueNode {
  readonly createdAt: string;
  readonly timelineItems: Nodes<{
    readonly createdAt?: string;
    readonly label?: { readonly name: string };
  }>;
}

/** It holds the label id of each role, or null where the repository does not have the label. */
type LabelIds = Readonly<Record<ColumnRole, { readonly id: string } | null>>;

export interface LabelPage {
  readonly repository:
    | (LabelIds &
        FoundRepository & {
          readonly issues?: Connected<LabelledIssueNode>;
          readonly pullRequests?: Connected<PullNode>;
        })
    | null;
}
