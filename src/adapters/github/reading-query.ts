/** Apps can read the projects of organizations only; a person's classic token also reads their own. */
export type ProjectOwner = "organization" | "user";

/** Board and open pull requests in one document: a tick costs one call. */
export function readingQuery(owner: ProjectOwner): string {
  return ORGANIZATION_READING.replace("organization(login:", `${owner}(login:`);
}

/** GitHub allows 100 labels and 50 blockers an issue: one page holds them all. */
const OPEN_PULLS = /* GraphQL */ `
  fragment OpenPulls on PullRequestConnection {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      number
      title
      headRefName
      headRefOid
      baseRefName
      isDraft
      latestOpinionatedReviews(first: 100, writersOnly: true) {
        nodes {
          state
          author {
            login
          }
          commit {
            oid
          }
        }
      }
    }
  }
`;

/** Further pages of open pull requests: most repositories have none. */
export const MORE_PULLS = /* GraphQL */ `
  query MorePulls($owner: String!, $name: String!, $after: String!) {
    repository(owner: $owner, name: $name) {
      pullRequests(states: OPEN, first: 100, after: $after) {
        ...OpenPulls
      }
    }
  }
  ${OPEN_PULLS}
`;

const ORGANIZATION_READING = /* GraphQL */ `
  query RepoReading(
    $owner: String!
    $name: String!
    $project: Int!
    $field: String!
    $after: String
    $withPulls: Boolean!
  ) {
    account: organization(login: $owner) {
      projectV2(number: $project) {
        id
        field(name: $field) {
          ... on ProjectV2SingleSelectField {
            id
            options {
              id
              name
            }
          }
        }
        items(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            id
            isArchived
            updatedAt
            status: fieldValueByName(name: $field) {
              ... on ProjectV2ItemFieldSingleSelectValue {
                name
                updatedAt
              }
            }
            content {
              __typename
              ... on Issue {
                ...Task
              }
            }
          }
        }
      }
    }
    repository(owner: $owner, name: $name) @include(if: $withPulls) {
      pullRequests(states: OPEN, first: 100) {
        ...OpenPulls
      }
    }
  }
  ${OPEN_PULLS}

  fragment Task on Issue {
    id
    number
    title
    body
    state
    stateReason
    repository {
      nameWithOwner
    }
    labels(first: 100) {
      nodes {
        name
      }
    }
    blockedBy(first: 100) {
      nodes {
        ...Blocker
      }
    }
    parent {
      number
      repository {
        nameWithOwner
      }
      labels(first: 100) {
        nodes {
          name
        }
      }
      blockedBy(first: 100) {
        nodes {
          ...Blocker
        }
      }
    }
  }

  fragment Blocker on Issue {
    number
    state
    stateReason
    repository {
      nameWithOwner
    }
  }
`;

interface Nodes<T> {
  readonly nodes: readonly (T | null)[] | null;
}

export interface BlockerNode {
  readonly number: number;
  readonly state: "OPEN" | "CLOSED";
  readonly stateReason: string | null;
  readonly repository: { readonly nameWithOwner: string };
}

export interface IssueNode extends BlockerNode {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly labels: Nodes<{ readonly name: string }> | null;
  readonly blockedBy: Nodes<BlockerNode>;
  readonly parent: {
    readonly number: number;
    readonly repository: { readonly nameWithOwner: string };
    readonly labels: Nodes<{ readonly name: string }> | null;
    readonly blockedBy: Nodes<BlockerNode>;
  } | null;
}

export interface ItemNode {
  readonly id: string;
  readonly isArchived: boolean;
  readonly updatedAt: string;
  readonly status: { readonly name?: string | null; readonly updatedAt?: string } | null;
  readonly content: ({ readonly __typename: string } & Partial<IssueNode>) | null;
}

export interface PullNode {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly headRefName: string;
  readonly headRefOid: string;
  readonly baseRefName: string;
  readonly isDraft: boolean;
  readonly latestOpinionatedReviews: Nodes<{
    readonly state: string;
    readonly author: { readonly login: string } | null;
    readonly commit: { readonly oid: string } | null;
  }> | null;
}

export interface ReadingPage {
  readonly account: {
    readonly projectV2: {
      readonly id: string;
      readonly field: {
        readonly id?: string;
        readonly options?: readonly { readonly id: string; readonly name: string }[];
      } | null;
      readonly items: Nodes<ItemNode> & {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      };
    } | null;
  } | null;
  readonly repository?: { readonly pullRequests: PullPage } | null;
}

export interface PullPage extends Nodes<PullNode> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface MorePulls {
  readonly repository: { readonly pullRequests: PullPage } | null;
}
