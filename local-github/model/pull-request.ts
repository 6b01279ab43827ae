import type { User } from "./account.ts";
import type { Thread } from "./issue.ts";
import type { Repository } from "./repository.ts";

export type ReviewState = "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";

export interface Review {
  readonly kind: "review";
  readonly id: number;
  readonly nodeId: string;
  readonly pull: PullRequest;
  readonly author: User;
  body: string;
  state: ReviewState;
  readonly commitSha: string;
  readonly submittedAt: string;
  updatedAt: string;
  readonly comments: readonly ReviewComment[];
}

/** Is a remark on a line of the change, as part of a review. */
export interface ReviewComment {
  readonly id: number;
  readonly nodeId: string;
  readonly path: string;
  readonly line: number;
  readonly body: string;
  readonly createdAt: string;
}

export interface DiffStats {
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
}

export interface Landing {
  readonly at: string;
  readonly by: User;
  /** This commit brought the change to the base branch. */
  readonly sha: string;
}

/** Says whether a pull request merges. GitHub works it out in the background; `null` means not known yet for these two commits. */
export interface Mergeability {
  readonly baseSha: string;
  readonly headSha: string;
  readonly mergeable: boolean;
  readonly rebaseable: boolean;
  /** When true, the base branch has commits that the head does not have. */
  readonly behind: boolean;
  /** For each changed file that has code owners, these are their logins. */
  readonly owners: readonly (readonly string[])[];
}

export interface PullRequest extends Thread {
  readonly kind: "pull-request";
  readonly pullId: number;
  /** It is a fork, or the repository itself. */
  readonly headRepository: Repository;
  readonly headRef: string;
  headSha: string;
  /** Its head was at these commits before; the last one comes last. */
  readonly earlierHeads: string[];
  baseRef: string;
  baseSha: string;
  draft: boolean;
  landing: Landing | null;
  stats: DiffStats;
  mergeability: Mergeability | null;
  readonly reviews: Review[];
  /** This is the last push that changed the diff; so many reviews were there before it. */
  lastPush: { readonly by: User; readonly afterReviews: number };
}

/** Lists each reviewer's last review that says yes or no; dismissed ones and the author's do not count. */
export function standingReviews(pull: PullRequest): readonly Review[] {
  const last = new Map<string, Review>();
  for (const review of pull.reviews) {
    if (review.author === pull.author || review.state === "COMMENTED") continue;
    last.set(review.author.login, review);
  }
  return [...last.values()].filter((review) => review.state !== "DISMISSED");
}
