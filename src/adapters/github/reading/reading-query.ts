import type { CardFact } from "../../../domain/board.ts";

/** An app can read only projects of organizations. A person's classic token can also read that person's own. */
export type ProjectOwner = "organization" | "user";

/** The app fills these fields of a project where they exist. */
export const CARD_FACTS: readonly CardFact[] = ["wave", "runner", "attempt", "cost", "reason"];

/** Asks for the board and the open pull requests in one document, so that a tick costs one call. */
export function readingQuery(owner: ProjectOwner): string {
  return ORGANIZATION_READING.replace("organization(login:", `${owner}(login:`);
}

/** These variables say which page of which list is wanted. A list that was read to its end is left out of the next document. */
const CURSOR = "$after: String, $withItems: Boolean!, $pullsAfter: String, $withPulls: Boolean!";

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
  latestOpinionatedReviews(first: 100, writersOnly: true) {
    nodes {
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
    }
  }
`;

/** A page has 40 pull requests, because together with their reviews a page of 100 cards then stays within 4 points. */
const PULLS = /* GraphQL */ `
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

const FACT_VALUES = CARD_FACTS.map(
  (name) => `${name}: fieldValueByName(name: "${titled(name)}") { ...Fact }`,
);

/** Returns the name that a project has for the field, e.g. `Wave`. */
export function titled(name: CardFact): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

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

const ORGANIZATION_READING = /* GraphQL */ `
  query RepoReading($owner: String!, $name: String!, $project: Int!, $field: String!, ${CURSOR}) {
    account: organization(login: $owner) @include(if: $withItems) {
      projectV2(number: $project) {
        id
        closed
        fields(first: 50) {
          nodes {
            ...Field
          }
        }
        items(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            id
            type
            isArchived
            updatedAt
            status: fieldValueByName(name: $field) {
              ... on ProjectV2ItemFieldSingleSelectValue {
                name
                updatedAt
              }
            }
            ${FACT_VALUES.join("\n            ")}
            content {
              __typename
              ... on Issue {
                ...Task
              }
              ... on DraftIssue {
                title
              }
            }
          }
        }
      }
    }
    repository(owner: $owner, name: $name) @include(if: $withPulls) {
      ${PULLS}
    }
  }

  fragment Field on ProjectV2FieldConfiguration {
    ... on ProjectV2Field {
      id
      name
      dataType
    }
    ... on ProjectV2SingleSelectField {
      id
      name
      dataType
      options {
        id
        name
      }
    }
  }

  fragment Fact on ProjectV2ItemFieldValue {
    ... on ProjectV2ItemFieldTextValue {
      text
    }
    ... on ProjectV2ItemFieldNumberValue {
      number
    }
    ... on ProjectV2ItemFieldSingleSelectValue {
      name
    }
  }
  ${TASK}
`;

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
      issues(first: 100, after: $after, labels: $labels, orderBy: { field: CREATED_AT, direction: ASC }) @include(if: $withItems) {
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
