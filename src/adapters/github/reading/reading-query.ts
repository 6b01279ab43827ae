/** These variables say which page of which list is wanted. A list that was read to its end is left out of the next document. */
export const CURSOR =
  "$size: Int!, $after: String, $withItems: Boolean!, $pullsAfter: String, $withPulls: Boolean!";

/** The reviews of a pull request that count. */
export const REVIEWS = "latestOpinionatedReviews";

export const REVIEW_FIELDS = /* GraphQL */ `
  id
  submittedAt
  state
  author {
    __typename
    login
  }
  commit {
    oid
  }
`;

/** A list in an answer is short. `long-lists.ts` reads those that are longer to their end. */
const MORE = "pageInfo { hasNextPage endCursor }";

/** The train has to know these fields of a pull request. */
export const PULL_FIELDS = /* GraphQL */ `
  id
  number
  title
  headRefName
  headRefOid
  baseRefName
  isDraft
  statusCheckRollup {
    state
  }
  ${REVIEWS}(first: 20, writersOnly: true) {
    ${MORE}
    nodes {
      ${REVIEW_FIELDS}
    }
  }
`;

/** The name and the number tell whether it is still the repository that was meant. A page has 40 pull requests, because together with their reviews a page of 100 cards then stays within 4 points. */
export const PULLS = /* GraphQL */ `
  nameWithOwner
  databaseId
  pullRequests(states: OPEN, first: 40, after: $pullsAfter) @include(if: $withPulls) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ${PULL_FIELDS}
    }
  }
`;

export const BLOCKER_FIELDS = "...Blocker";

export const BLOCKER = /* GraphQL */ `
  fragment Blocker on Issue {
    number
    parent {
      number
      repository {
        nameWithOwner
      }
    }
    state
    stateReason
    repository {
      nameWithOwner
    }
  }
`;

const LABELS_AND_BLOCKERS = /* GraphQL */ `
  labels(first: 20) {
    ${MORE}
    nodes {
      name
    }
  }
  blockedBy(first: 10) {
    ${MORE}
    nodes {
      ${BLOCKER_FIELDS}
    }
  }
`;

/** These fields of an issue are needed to make a task of it. */
export const TASK = /* GraphQL */ `
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
    ${LABELS_AND_BLOCKERS}
    parent {
      id
      number
      repository {
        nameWithOwner
      }
      ${LABELS_AND_BLOCKERS}
    }
  }
  ${BLOCKER}
`;

export const SUB_ISSUE_FIELDS = "number title state stateReason repository { nameWithOwner }";

export const SUB_ISSUES = `subIssues(first: 20) { ${MORE} nodes { ${SUB_ISSUE_FIELDS} } }`;

/** Asks for issues with any of the labels, closed ones too, because a landed task's labels are put right after its issue was closed. */
export const LABEL_READING = /* GraphQL */ `
  query LabelReading(
    $owner: String!, $name: String!, $labels: [String!], ${CURSOR}
    $ready: String!, $running: String!, $review: String!, $queued: String!, $done: String!, $blocked: String!
  ) {
    repository(owner: $owner, name: $name) {
      ready: label(name: $ready) { id }
      running: label(name: $running) { id }
      review: label(name: $review) { id }
      queued: label(name: $queued) { id }
      done: label(name: $done) { id }
      blocked: label(name: $blocked) { id }
      issues(first: $size, after: $after, labels: $labels, orderBy: { field: CREATED_AT, direction: ASC }) @include(if: $withItems) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...Task
          createdAt
          timelineItems(last: 20, itemTypes: [LABELED_EVENT]) {
            nodes {
              ... on LabeledEvent {
                createdAt
                label {
                  name
                }
              }
            }
          }
        }
      }
      ${PULLS}
    }
  }
  ${TASK}
`;
